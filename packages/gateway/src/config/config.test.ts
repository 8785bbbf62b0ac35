import { describe, expect, it } from 'vitest';
import { ConfigError, describeConfig, loadConfig, SETTINGS } from './config.ts';

const masterKey = Buffer.alloc(32, 7).toString('base64');

describe('the configuration', () => {
  it('starts a working sandbox when nothing is set', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ mode: 'development', host: '127.0.0.1', port: 8080, network: 'sandbox' });
    expect(config.databaseUrl).toMatch(/^sqlite:\/.*\/data\/parley\.db$/);
    expect([...config.roles]).toEqual(['api', 'worker', 'webhooks', 'portal']);
  });

  it('treats an empty variable as absent', () => {
    expect(loadConfig({ PARLEY_PORT: '', PARLEY_OPERATOR_TOKEN: ' ' })).toMatchObject({ port: 8080 });
  });

  it.each([
    ['PARLEY_MODE', 'prod'],
    ['PARLEY_PORT', '80a'],
    ['PARLEY_PORT', '70000'],
    ['PARLEY_PORT', '-1'],
    ['PARLEY_HOST', 'a b'],
    ['PARLEY_DATABASE_URL', 'mysql://localhost/x'],
    ['PARLEY_DATABASE_URL', 'sqlite:'],
    ['PARLEY_BUS_URL', 'redis://localhost'],
    ['PARLEY_BUS_URL', 'nats://one:4222,two:4222'],
    ['PARLEY_BUS_SUBJECT', 'parley.>'],
    ['PARLEY_NETWORK', 'telegram'],
    ['PARLEY_PUBLIC_URL', 'parley.example.com'],
    ['PARLEY_PUBLIC_URL', 'https://parley.example.com/here'],
    ['PARLEY_TRUSTED_PROXIES', 'nginx'],
    ['PARLEY_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['PARLEY_TRUSTED_PROXIES', '127.0.0.1,'],
    ['PARLEY_SANDBOX_URL', 'ws://127.0.0.1:9000'],
    ['PARLEY_SANDBOX_URL', 'http://127.0.0.1:9000/sandbox'],
    ['PARLEY_WHATSAPP_VERSION', '2.3000'],
    ['PARLEY_WHATSAPP_DEVICE_NAME', 'x'.repeat(51)],
    ['PARLEY_WHATSAPP_HISTORY', 'all'],
    ['PARLEY_WHATSAPP_PROXY', 'ftp://proxy.example:21'],
    ['PARLEY_WHATSAPP_PROXY', 'socks5://proxy.example'],
    ['PARLEY_WHATSAPP_PROXIES', 'socks5://proxy.example:1080'],
    ['PARLEY_WHATSAPP_PROXIES', '15550001001=http://a.example,15550001001=http://b.example'],
    ['PARLEY_ROLES', 'api,cook'],
    ['PARLEY_ROLES', ','],
    ['PARLEY_OPERATOR_TOKEN', 'short'],
    ['PARLEY_MAIL_URL', 'mail.example.com:587'],
    ['PARLEY_MAIL_URL', 'smtp://mail.example.com/inbox'],
    ['PARLEY_MAIL_FROM', 'Parley'],
    ['PARLEY_SIGN_UP', 'yes'],
    ['PARLEY_DEMO', 'yes'],
    ['PARLEY_MASTER_KEY', 'c2hvcnQ='],
    ['PARLEY_MASTER_KEY', Buffer.alloc(31).toString('base64')],
    ['PARLEY_MASTER_KEY', `${'A'.repeat(42)}!=`],
    ['PARLEY_LOG_LEVEL', 'loud'],
  ])('refuses %s=%s in one line that names it and says what it takes', (name, value) => {
    const setting = Object.values(SETTINGS).find((each) => each.name === name);
    expect(() => loadConfig({ [name]: value })).toThrow(new ConfigError(`${name} must be ${setting?.takes}`));
  });

  const production = {
    PARLEY_MODE: 'production',
    PARLEY_OPERATOR_TOKEN: 'x'.repeat(16),
    PARLEY_MASTER_KEY: masterKey,
  };

  it('opens sign-up in development only, unless it is set', () => {
    expect(loadConfig({}).signUp).toBe('open');
    expect(loadConfig({ PARLEY_SIGN_UP: 'closed' }).signUp).toBe('closed');
    expect(loadConfig(production).signUp).toBe('closed');
    expect(loadConfig({ ...production, PARLEY_SIGN_UP: 'open' }).signUp).toBe('open');
  });

  it('creates a demo in development only, unless it is set', () => {
    expect(loadConfig({}).demo).toBe('on');
    expect(loadConfig({ PARLEY_DEMO: 'off' }).demo).toBe('off');
    expect(loadConfig(production).demo).toBe('off');
    expect(loadConfig({ ...production, PARLEY_DEMO: 'on' }).demo).toBe('on');
  });

  it('reads the settings of the real network', () => {
    const config = loadConfig({
      PARLEY_WHATSAPP_VERSION: '2.3000.1043857760',
      PARLEY_WHATSAPP_PROXY: 'http://proxy.example:3128',
      PARLEY_WHATSAPP_PROXIES: '15550001001=socks5://a.example:1080, +15550001002=https://b.example',
    });
    expect(config.whatsappVersion).toEqual([2, 3000, 1043857760]);
    expect(loadConfig({ PARLEY_WHATSAPP_VERSION: 'auto' }).whatsappVersion).toBe('auto');
    expect(loadConfig({ PARLEY_NETWORK: 'whatsapp' }).whatsappVersion).toBe('auto');
    expect(loadConfig({}).whatsappVersion).toBe('built-in');
    expect(config.whatsappProxy).toBe('http://proxy.example:3128');
    expect(Object.fromEntries(config.whatsappProxies)).toEqual({
      15550001001: 'socks5://a.example:1080',
      15550001002: 'https://b.example',
    });
  });

  it('refuses an unknown name, except those that Kubernetes adds', () => {
    expect(() => loadConfig({ PARLEY_PROT: '1' })).toThrow(
      'PARLEY_PROT is not a setting of Parley; did you mean PARLEY_PORT?',
    );
    expect(() => loadConfig({ PARLEY_SERVICE_HOST: '10.0.0.1', PARLEY_PORT_8080_TCP: 'x' })).not.toThrow();
  });

  it('accepts the public address and the proxies before the gateway', () => {
    const text = '127.0.0.1, 10.0.0.0/8,::1,fd00::/8';
    const config = loadConfig({ PARLEY_PUBLIC_URL: 'http://parley.local/', PARLEY_TRUSTED_PROXIES: text });
    expect(config.publicUrl).toBe('http://parley.local');
    expect(config.trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
    const shown = describeConfig(config).find(({ name }) => name === 'PARLEY_TRUSTED_PROXIES');
    expect(shown?.value).toBe('127.0.0.1,10.0.0.0/8,::1,fd00::/8');
    expect(() => loadConfig({ ...production, PARLEY_PUBLIC_URL: 'http://parley.example.com' })).toThrow(
      'PARLEY_PUBLIC_URL must begin with https:// in production',
    );
  });

  it('requires both secrets in production', () => {
    const production = { PARLEY_MODE: 'production' };
    expect(() => loadConfig(production)).toThrow(/^PARLEY_MASTER_KEY is required in production/);
    expect(() => loadConfig({ ...production, PARLEY_MASTER_KEY: masterKey })).toThrow(
      /^PARLEY_OPERATOR_TOKEN is required in production/,
    );
    const whole = {
      ...production,
      PARLEY_MASTER_KEY: masterKey,
      PARLEY_OPERATOR_TOKEN: 'a-long-enough-token',
    };
    expect(loadConfig(whole)).toMatchObject({ mode: 'production', masterKeys: [Buffer.alloc(32, 7)] });
  });

  it('refuses a cluster whose processes would not share all state', () => {
    const cluster = {
      PARLEY_BUS_URL: 'nats://one:4222',
      PARLEY_DATABASE_URL: 'postgres://db.internal/parley',
      PARLEY_MASTER_KEY: masterKey,
      PARLEY_SANDBOX_URL: 'http://sandbox:8090',
      PARLEY_MEDIA_URL: 'file:/shared',
    };
    expect(loadConfig(cluster).busUrls).toEqual(['nats://one:4222']);
    for (const name of ['PARLEY_DATABASE_URL', 'PARLEY_MASTER_KEY', 'PARLEY_SANDBOX_URL', 'PARLEY_MEDIA_URL'])
      expect(() => loadConfig({ ...cluster, [name]: '' })).toThrow(
        new RegExp(`^PARLEY_BUS_URL needs ${name} `),
      );
    const { PARLEY_SANDBOX_URL: _, ...real } = { ...cluster, PARLEY_NETWORK: 'whatsapp' };
    expect(loadConfig(real).network).toBe('whatsapp');
    expect(() => loadConfig({ ...cluster, PARLEY_BUS_CERT: 'cert.pem' })).toThrow(/needs PARLEY_BUS_KEY/);
  });

  it.each([
    ['s3://AKIA:wJal/rXUt@s3.example.com/parley', 'percent-encode'],
    ['https://s3.example.com/parley', 'it begins with https:'],
    ['s3://s3.example.com/parley', 'the key is missing'],
    ['s3://AKIA@s3.example.com/parley', 'the secret is missing'],
    ['s3://AKIA:half%@s3.example.com/parley', 'as %25'],
    ['s3://AKIA:wJal@s3.example.com', 'one bucket'],
    ['s3://AKIA:wJal@s3.example.com/Parley', 'one bucket'],
    ['s3://AKIA:wJal@s3.example.com/parley?regoin=eu', 'it takes no regoin='],
    ['s3://AKIA:wJal@s3.example.com/parley?endpoint=minio:9000', 'endpoint= must be'],
    ['s3://AKIA:wJal@s3.example.com/parley?prefix=a%20b', 'prefix= takes'],
  ])('says what is wrong with %s, without its secret', (url, words) => {
    const load = () => loadConfig({ PARLEY_MEDIA_URL: url });
    expect(load).toThrow(words);
    expect(load).toThrow(/^PARLEY_MEDIA_URL must be (?!.*wJal)/);
  });

  it('describes itself without its secrets', () => {
    const config = loadConfig({
      PARLEY_MASTER_KEY: masterKey,
      PARLEY_OPERATOR_TOKEN: 'a-long-enough-token',
      PARLEY_DATABASE_URL: 'postgres://parley:hunter2@db.internal/parley',
      PARLEY_BUS_URL: 'nats://parley:hunter5@one:4222,nats://two:4222',
      PARLEY_MEDIA_URL: 's3://key:hunter6@minio/parley',
      PARLEY_SANDBOX_URL: 'http://sandbox:8090',
      PARLEY_WHATSAPP_PROXY: 'http://parley:hunter3@proxy.example:3128',
      PARLEY_WHATSAPP_PROXIES: '15550001001=socks5://parley:hunter4@proxy.example:1080',
    });
    const printed = JSON.stringify(describeConfig(config));
    for (const secret of [
      masterKey,
      'a-long-enough-token',
      'hunter2',
      'hunter3',
      'hunter4',
      'hunter5',
      'hunter6',
    ])
      expect(printed).not.toContain(secret);
    expect(printed).toContain('postgres://***@db.internal/parley');
    expect(printed).toContain('nats://***@one:4222,nats://two:4222');
    expect(printed).toContain('15550001001=socks5://***@proxy.example:1080');
  });
});
