/** What new members add to the counts of those above them: each ancestor once, however many sponsors are below it. */

/** Who came under one sponsor. */
export interface Joined {
  sponsorId: string;
  members: number;
  active: number;
}

export interface Ancestor {
  id: string;
  parentId: string | null;
}

/** What is added to each of these ancestors. */
export interface Share {
  ancestorIds: string[];
  members: number;
  active: number;
}

/** `above` are the sponsors and all above them, in any order. Ids come with those below before those above. */
export function shareCounts(joined: readonly Joined[], above: readonly Ancestor[]): Share[] {
  const nodes = new Map(above.map(({ id, parentId }) => [id, { parentId, members: 0, active: 0, childrenLeft: 0 }]));
  for (const { parentId } of above) {
    const parent = parentId === null ? undefined : nodes.get(parentId);
    if (parent) parent.childrenLeft += 1;
  }
  for (const { sponsorId, members, active } of joined) {
    const sponsor = nodes.get(sponsorId);
    if (!sponsor) throw new Error('a sponsor is not among those above');
    sponsor.members += members;
    sponsor.active += active;
  }
  const shares = new Map<string, Share>();
  const ready = [...nodes].filter(([, { childrenLeft }]) => childrenLeft === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const { parentId = null, members = 0, active = 0 } = nodes.get(id) ?? {};
    const share = shares.get(`${members} ${active}`);
    if (share) share.ancestorIds.push(id);
    else shares.set(`${members} ${active}`, { ancestorIds: [id], members, active });
    const parent = parentId === null ? undefined : nodes.get(parentId);
    if (parentId === null || !parent) continue;
    parent.members += members;
    parent.active += active;
    parent.childrenLeft -= 1;
    if (parent.childrenLeft === 0) ready.push(parentId);
  }
  return [...shares.values()];
}
