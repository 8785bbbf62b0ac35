import { describe, expect, it } from 'vitest';
import { readServers } from './address.ts';

describe('an address of PostgreSQL', () => {
  it.each([
    ['one server', 'postgres://u:p@a:1/db?sslmode=require', ['postgres://u:p@a:1/db?sslmode=require']],
    [
      'several servers',
      'postgresql://u:p%40@a:1,b,[::1]:3/db?application_name=x',
      ['a:1', 'b', '[::1]:3'].map((host) => `postgresql://u:p%40@${host}/db?application_name=x`),
    ],
  ])('names %s', (_what, url, urls) => {
    expect(readServers(url)).toMatchObject({ urls, seekPrimary: urls.length > 1, pooled: false });
  });

  it('hides its own parameters from the client library', () => {
    expect(readServers('postgres://a/db?target_session_attrs=read-write&pooler=transaction')).toEqual({
      urls: ['postgres://a/db'],
      hosts: 'a',
      seekPrimary: true,
      pooled: true,
    });
  });

  it.each([
    'postgres://',
    'postgres:///db',
    'postgres://a,,b/db',
    'postgres://a:x/db',
    'mysql://a/db',
    'postgres://a/db?pooler=session',
    'postgres://a,b/db?target_session_attrs=standby',
  ])('is not %s', (url) => {
    expect(readServers(url)).toBeUndefined();
  });
});
