/** The fenced blocks of a Markdown file, in their order. */

export interface Block {
  language: string;
  /** After the language: the HTTP status that a guide says it answers with, `sh 409`. */
  status: string | undefined;
  code: string;
  /** Of the first line of code, to be named in failures. */
  line: number;
}

export function parseBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*) ?(\d{3})?\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', status, code = ''] = match;
    return { language, status, code, line: markdown.slice(0, match.index).split('\n').length + 1 };
  });
}
