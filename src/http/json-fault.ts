/** Where a text stops being JSON. The parser that refused it tells its position only sometimes, and quotes it. */

interface JsonFault {
  line: number;
  /** In UTF-16 units, as editors count. */
  column: number;
  what: string;
}

/** A text that is JSON has none. Nested no deeper than the wire guard lets it be. */
export function findJsonFault(text: string): JsonFault | undefined {
  const scanner = new JsonScanner(text);
  try {
    scanner.scan();
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return { ...positionIn(text, error.at), what: error.message };
    throw error;
  }
}

class Broken extends Error {
  readonly at: number;

  constructor(at: number, what: string) {
    super(what);
    this.at = at;
  }
}

function positionIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

const SPACE = /[ \t\n\r]*/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    this.#value();
    this.#skip(SPACE);
    if (this.#at < this.#text.length) this.#fail('nothing may follow the end of the JSON text');
  }

  #value(): void {
    this.#skip(SPACE);
    const sign = this.#text[this.#at];
    if (sign === '{') this.#list('}', () => this.#member());
    else if (sign === '[') this.#list(']', () => this.#value());
    else if (sign === '"') this.#string();
    else if (!this.#skip(WORD)) this.#fail('a value is expected; texts stand in double quotes');
  }

  /** The members of an object or the items of an array, from its opening sign to the closing one. */
  #list(end: string, part: () => void): void {
    this.#at++;
    this.#skip(SPACE);
    if (this.#text[this.#at] === end) {
      this.#at++;
      return;
    }
    for (;;) {
      part();
      this.#skip(SPACE);
      const sign = this.#text[this.#at];
      if (sign !== ',' && sign !== end) this.#fail(`a comma or ${end} is expected`);
      this.#at++;
      if (sign === end) return;
      this.#skip(SPACE);
      if (this.#text[this.#at] === end) this.#fail(`there is a comma before ${end}`);
    }
  }

  #member(): void {
    this.#skip(SPACE);
    if (this.#text[this.#at] !== '"') this.#fail('a name in double quotes is expected');
    this.#string();
    this.#skip(SPACE);
    if (this.#text[this.#at] !== ':') this.#fail('a colon is expected');
    this.#at++;
    this.#value();
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === '"') break;
      if (sign === undefined) this.#fail('');
      if (sign < ' ') this.#fail('line breaks and control characters in a text are written as escapes');
      if (sign !== '\\') this.#at++;
      else if (!this.#skip(ESCAPE)) this.#fail('there is no such escape');
    }
    this.#at++;
  }

  /** Whether anything was there. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found !== '';
  }

  #fail(what: string): never {
    throw new Broken(this.#at, this.#at >= this.#text.length ? 'the text ends too early' : what);
  }
}
