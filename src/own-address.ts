/** The address callers know the service by, for links in answers. */

export interface OwnAddress {
  url(): string;
  /** The same by number, for programs: not every one of them tries both addresses of `localhost`. */
  numericUrl(): string;
  /** Whether the operator has said it, by PUBLIC_BASE_URL. */
  isSaid: boolean;
  /** To be told once the port is known: with PORT=0 it is not until then. */
  listensOn(port: number): void;
}

export function createOwnAddress({ PUBLIC_BASE_URL, PORT }: { PUBLIC_BASE_URL?: string | undefined; PORT: number }): OwnAddress {
  let port = PORT;
  return {
    isSaid: PUBLIC_BASE_URL !== undefined,
    url: () => PUBLIC_BASE_URL ?? `http://localhost:${port}`,
    numericUrl: () => PUBLIC_BASE_URL ?? `http://127.0.0.1:${port}`,
    listensOn(actual) {
      port = actual;
    },
  };
}
