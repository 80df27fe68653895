/** CBOR of what an authenticator says. Source: RFC 8949 §3. */

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

export function cborOf(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const pairs = [...(value as ReadonlyMap<number | string, Cbor>)].flatMap(([key, held]) => [cborOf(key), cborOf(held)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([head(4, items.length), ...items.map(cborOf)]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}
