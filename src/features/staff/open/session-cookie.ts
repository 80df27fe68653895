/** The cookie of a session: its name, its attributes, and its value among others. Source: docs/specification/people.md#cookie. */

/** `secure`: the service is reached by https. On plain http a browser keeps no `__Host-` cookie. */
export function cookieNameOf(secure: boolean): '__Host-mcr' | 'mcr' {
  return secure ? '__Host-mcr' : 'mcr';
}

/** Whether an address of the service's own is one of https. */
export function isSecure(ownUrl: string): boolean {
  return ownUrl.startsWith('https:');
}

/** The `Set-Cookie` header that keeps a session's value until the browser closes. */
export function setCookie(value: string, secure: boolean): string {
  return `${cookieNameOf(secure)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** The `Set-Cookie` header that takes it away. */
export function clearCookie(secure: boolean): string {
  return `${setCookie('', secure)}; Max-Age=0`;
}

const VALUE = /^[A-Za-z0-9_-]{43}$/;

/** The value in a `Cookie` header; undefined where there is none, it has no form of ours, or there are two. */
export function readCookie(header: string | undefined, secure: boolean): string | undefined {
  const name = cookieNameOf(secure);
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && VALUE.test(value) ? value : undefined;
}
