/**
 * The header that makes a browser save what it gets (RFC 6266), for a file name of any text: a plain
 * one of signs that mean nothing in a header, and the exact one percent-encoded (RFC 5987).
 */
export function attachmentNamed(fileName: string): string {
  const plain = fileName.normalize('NFKD').replace(/[^A-Za-z0-9 ._-]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(/['()*]/g, percentEncoded);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
