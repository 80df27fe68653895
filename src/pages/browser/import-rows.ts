/** The rows of a file that somebody chooses, beside what was found wrong with them. The file stays in the browser. */
const chooser = document.querySelector<HTMLInputElement>('[data-import-rows]');
const said = document.querySelector<HTMLElement>('#rows-said');

chooser?.addEventListener('change', () => {
  const file = chooser.files?.[0];
  if (!file) return;
  tell(`Reading ${file.name}…`);
  void show(file).then(
    (found) =>
      tell(found === 0 ? 'None of these rows is in this file.' : `${found} rows are shown. They do not leave this browser.`),
    () => tell('The file cannot be read. Choose it again.'),
  );
});

function tell(text: string): void {
  if (said) said.textContent = text;
}

async function show(file: File): Promise<number> {
  const places = new Map<number, HTMLElement>();
  for (const place of document.querySelectorAll<HTMLElement>('[data-row]')) places.set(Number(place.dataset['row']), place);
  const last = Math.max(...places.keys());
  let found = 0;
  await readRecords(file, (row, text) => {
    const place = places.get(row);
    if (place) {
      place.textContent = text;
      place.hidden = false;
      found += 1;
    }
    return row < last;
  });
  return found;
}

/** Records in their order, numbered as the service does: the first is 1, and blank lines count. Until `take` says no. */
async function readRecords(file: File, take: (row: number, text: string) => boolean): Promise<void> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let row = 1;
  let record = '';
  let isQuoted = false;
  for (;;) {
    const { value, done } = await reader.read();
    for (const sign of value ?? '') {
      if (sign === '"') isQuoted = !isQuoted;
      if (sign !== '\n' || isQuoted) {
        record += sign;
        continue;
      }
      if (!take(row, record.trimEnd())) return void reader.cancel();
      row += 1;
      record = '';
    }
    if (done) {
      if (record !== '') take(row, record.trimEnd());
      return;
    }
  }
}

export {};
