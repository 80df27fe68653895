/** Whether each feature's sweeps and what it says to be due belong together. */

export interface Swept {
  name: string;
  /** The names of what is due. */
  due: readonly string[];
  /** The names of the sweeps that the open feature has. */
  sweeps: readonly string[];
}

/** A sweep is run where `due` names its scopes, and nowhere else; what is due and not swept is found every second for nothing. */
export function sweepFaults(features: readonly Swept[]): string[] {
  const swept = features.flatMap(({ sweeps }) => sweeps);
  const due = features.flatMap((feature) => feature.due);
  return [
    ...features.flatMap(({ name, due, sweeps }) => [
      ...sweeps.filter((sweep) => !due.includes(sweep)).map((sweep) => `${name} has the sweep ${sweep}, and no due of that name`),
      ...due.filter((sweep) => !sweeps.includes(sweep)).map((sweep) => `${name} has ${sweep} due, and no sweep of that name`),
    ]),
    ...twice(swept).map((sweep) => `there are two sweeps ${sweep}`),
    ...twice(due).map((sweep) => `there are two due ${sweep}`),
  ];
}

/** Each word that is there more than once. */
const twice = (words: readonly string[]): string[] => words.filter((word, index) => words.indexOf(word) !== index);
