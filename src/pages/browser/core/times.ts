/** Keeps "3 minutes ago" true for as long as the page is open. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Of a sandbox whose clock was moved, the server's words stay: this clock is not its. */
const isMoved = document.body.classList.contains('is-sandbox');

function say(instant: string): string {
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : seconds > 0 ? 'in a moment' : 'just now';
}

if (!isMoved) {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-ago]')) {
      const text = say(time.dateTime);
      if (time.textContent !== text) time.textContent = text;
    }
  }, 30_000);
}
