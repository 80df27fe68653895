/** Who follows a link, and what is kept of where from. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressHasher, referrerHost, visitorKind } from '../../../src/features/referrals/visitor.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const kindOf = (headers: Record<string, string>) => visitorKind((name) => headers[name]);

describe('a visitor', () => {
  test.each([
    ['person', { 'user-agent': FIREFOX }],
    ['bot', {}],
    ['bot', { 'user-agent': '' }],
    ['bot', { 'user-agent': GOOGLEBOT }],
    ['bot', { 'user-agent': 'curl/8.5.0' }],
    ['bot', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['bot', { 'user-agent': GOOGLEBOT, 'sec-purpose': 'prefetch' }],
    ['prefetch', { 'user-agent': FIREFOX, 'sec-purpose': 'prefetch' }],
    ['prefetch', { 'user-agent': FIREFOX, 'sec-purpose': 'prefetch;prerender' }],
    ['prefetch', { 'user-agent': FIREFOX, 'sec-purpose': 'prerender' }],
    ['prefetch', { 'user-agent': FIREFOX, purpose: 'Prefetch' }],
    ['prefetch', { 'user-agent': FIREFOX, 'x-moz': 'prefetch' }],
    ['person', { 'user-agent': FIREFOX, purpose: 'preview', 'x-moz': 'other' }],
  ] as const)('is a %s: %j', (kind, headers) => {
    expect(kindOf(headers)).toBe(kind);
  });

  test('of a very long name is judged in time by its beginning', () => {
    expect(kindOf({ 'user-agent': `${GOOGLEBOT} ${'x'.repeat(16_000)}` })).toBe('bot');
    expect(kindOf({ 'user-agent': FIREFOX + ' '.repeat(16_000) })).toBe('person');
  });
});

describe('the host of a referrer', () => {
  test.each([
    ['https://Blog.Example/post?email=kim@shop.example#top', 'blog.example'],
    ['http://user:pass@blog.example:8080/', 'blog.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['http://[2001:db8::1]/', '[2001:db8::1]'],
    ['android-app://com.example.app/', null],
    ['javascript:alert(1)', null],
    ['blog.example', null],
    ['', null],
    [undefined, null],
    [`https://${'a.'.repeat(200)}example/`, null],
  ])('%s', (address, host) => {
    expect(referrerHost(address)).toBe(host);
  });

  test('whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
        const host = referrerHost(text);
        expect(host === null || (host.length <= 255 && !/[\s/@?#]/.test(host))).toBe(true);
      }),
    );
  });
});

describe('the digest of an address', () => {
  const hash = createAddressHasher(Buffer.alloc(32, 1));
  const scope = { tenantId: '019a0000-0000-7000-8000-000000000001', environment: 'LIVE' } as const;
  const day = new Date('2026-11-21T00:00:00.000Z');
  const hex = (address: string | undefined, at = day) => hash(scope, address, at)?.toString('hex');

  test('is of sixteen bytes, and of one tenant, environment, UTC day and secret', () => {
    const one = hex('203.0.113.7');
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(hex('203.0.113.7', new Date('2026-11-21T23:59:59.999Z'))).toBe(one);
    const others = [
      hex('203.0.113.7', new Date('2026-11-22T00:00:00.000Z')),
      hex('203.0.113.8'),
      hash({ ...scope, environment: 'SANDBOX' }, '203.0.113.7', day)?.toString('hex'),
      hash({ ...scope, tenantId: '019a0000-0000-7000-8000-000000000002' }, '203.0.113.7', day)?.toString('hex'),
      createAddressHasher(Buffer.alloc(32, 2))(scope, '203.0.113.7', day)?.toString('hex'),
    ];
    expect(new Set([one, ...others]).size).toBe(6);
  });

  test('is the same for an IPv4 address mapped into IPv6', () => {
    expect(hex('::ffff:203.0.113.7')).toBe(hex('203.0.113.7'));
    expect(hex('::FFFF:cb00:7107')).toBe(hex('203.0.113.7'));
  });

  test('counts IPv6 by its /64, however it is written', () => {
    const one = hex('2001:db8:1:2::1');
    expect(hex('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe(one);
    expect(hex('2001:db8:1:2::1%eth0')).toBe(one);
    expect(hex('2001:db8:1:2::1%eth0.100')).toBe(one);
    expect(hex('::ffff:203.0.113.7%eth0.100')).toBe(hex('203.0.113.7'));
    expect(hex('2001:db8:1:3::1')).not.toBe(one);
  });

  test.each([undefined, '', 'unknown', '203.0.113', '203.0.113.7, 10.0.0.1', '0x7f.1'])('is none of %s', (address) => {
    expect(hash(scope, address, day)).toBeNull();
  });
});
