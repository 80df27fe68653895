/** Whether an answer is the one that a guide shows. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The last JSON value of what a block printed: curl puts no line end between two. */
export function lastJson(printed: string): unknown {
  const text = printed.trim();
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    try {
      return JSON.parse(text.slice(at));
    } catch {
      // Not where the last value begins.
    }
  }
  throw new Error(`no JSON at the end of: ${text}`);
}

/**
 * The answer, with what differs from run to run as it is shown: texts shortened with '…', times, and referral codes.
 * What is shown must be equal to it, key by key.
 */
export function asShown(answer: unknown, shown: unknown, key = ''): unknown {
  if (Array.isArray(answer) && Array.isArray(shown)) return answer.map((one, index) => asShown(one, shown[index]));
  if (isObject(answer) && isObject(shown)) {
    return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, asShown(value, shown[name], name)]));
  }
  if (typeof answer !== 'string' || typeof shown !== 'string') return answer;
  const varies = shown.includes('…') || key === 'referral_code' || (TIME.test(shown) && TIME.test(answer));
  return varies ? shown : answer;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
