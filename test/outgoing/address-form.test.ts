/** Addresses from tenants, by their form alone (vendor rules of OIDC providers: https, public, port 443). */
import { describe, expect, test } from 'vitest';
import { findAddressFault } from '../../src/outgoing/address-form.ts';
import { isPublicAddress } from '../../src/outgoing/public-address.ts';

describe('addresses of the public internet', () => {
  test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.255.255'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001:0::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '5f00::1',
    'not an address',
    '',
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('the form of an address', () => {
  test.each(['https://idp.example', 'https://idp.example/', 'https://idp.example:443/realms/a?b=c', 'https://8.8.8.8/keys'])(
    '%s is good',
    (address) => expect(findAddressFault(address, [])).toBeUndefined(),
  );

  test.each([
    'http://idp.example',
    'HTTPS://idp.example',
    'ftp://idp.example',
    'file:///etc/passwd',
    '//idp.example',
    'idp.example',
    '',
    'https://',
    'https:/idp.example',
    'https:idp.example',
    'https://idp.example/a b',
    'https://idp.example/\n',
    ' https://idp.example',
    'https://idp.ex\tample',
    'https://idp.exämple',
    'https://idp.example\\@10.0.0.1',
    'https://user@idp.example',
    'https://user:secret@idp.example',
    'https://@idp.example',
    'https://idp.example/#',
    'https://idp.example#@10.0.0.1',
    'https://idp.example:444',
    'https://idp.example:80',
    'https://idp.example:0',
    'https://idp.example:99999',
    'https://127.0.0.1/jwks',
    'https://10.0.0.1/jwks',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/jwks',
    'https://0x7f.1/jwks',
    'https://0177.0.0.1/jwks',
    'https://0/jwks',
    'https://127.1/jwks',
    'https://[::1]/jwks',
    'https://[::ffff:7f00:1]/jwks',
    'https://[fd00::1]/jwks',
    'https://[64:ff9b:1::1]/jwks',
    'https://１２７.0.0.1/jwks',
    `https://idp.example/${'a'.repeat(2_000)}`,
  ])('%s is refused', (address) => expect(findAddressFault(address, [])).toEqual(expect.any(String)));

  test('a host that the deployment vouches for may be private and on its own port, and no other', () => {
    const allowed = ['127.0.0.1:9443', 'idp.test:443', '[::1]:8443'];
    for (const good of ['https://127.0.0.1:9443/jwks', 'https://idp.test/', 'https://IDP.test/', 'https://[::1]:8443/']) {
      expect(findAddressFault(good, allowed), good).toBeUndefined();
    }
    for (const bad of ['https://127.0.0.1/', 'https://127.0.0.1:9444/', 'https://idp.test:9443/', 'http://idp.test/']) {
      expect(findAddressFault(bad, allowed), bad).toEqual(expect.any(String));
    }
    expect(findAddressFault('https://user@127.0.0.1:9443/', allowed)).toEqual(expect.any(String));
  });
});
