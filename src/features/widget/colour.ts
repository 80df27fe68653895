/** Colours and how well they can be told apart. Source: WCAG 2.2, relative luminance and contrast ratio. */

/** As `#rrggbb`, in lower case. */
export type Colour = `#${string}`;

const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;
type Channels = readonly [number, number, number];

/** Of a text of `#rgb` or `#rrggbb`. */
export function colourOf(text: string): Colour {
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

/** From 1, of a colour on itself, to 21, of black on white. */
export function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(channelsOf(one)), luminance(channelsOf(other))].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The colour itself where text in it can be read on each of the grounds; else mixed with black or white until it can. */
export function readableOn(colour: Colour, grounds: readonly Colour[], least: number): Colour {
  const reads = (candidate: Colour): boolean => grounds.every((ground) => contrast(candidate, ground) >= least);
  if (reads(colour)) return colour;
  const dark = grounds.every((ground) => luminance(channelsOf(ground)) < 0.18);
  for (let share = 1; share <= 100; share++) {
    const mixed = mix(channelsOf(colour), dark ? WHITE : BLACK, share / 100);
    if (reads(mixed)) return mixed;
  }
  return dark ? '#ffffff' : '#000000';
}

/** White, or black where white can not be read on it: one of both always can. */
export function textOn(ground: Colour, least: number): Colour {
  return contrast('#ffffff', ground) >= least ? '#ffffff' : '#000000';
}

function channelsOf(colour: Colour): Channels {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [red, green, blue];
}

function luminance(channels: Channels): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(one: Channels, other: Channels, share: number): Colour {
  const mixed = one.map((channel, at) => Math.round(channel + ((other[at] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
