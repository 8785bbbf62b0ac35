import { expect, it } from 'vitest';
import { migrations } from '#platform/store';
import { createSqliteDatabase } from '#platform/store/testing';
import { OPERATOR_TOKEN, startGateway } from '#testing';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

it('the log has start, configuration, schema and stop, each as one line and without a secret', async () => {
  const empty = await createSqliteDatabase();
  const gateway = await startGateway({
    environment: {
      PARLEY_DATABASE_URL: empty.url,
      PARLEY_LOG_LEVEL: 'debug',
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PARLEY_MASTER_KEY: MASTER_KEY,
      PARLEY_WHATSAPP_PROXY: 'socks5://way:out-of-here@127.0.0.1:1080',
    },
  });
  await gateway.close();
  await empty.drop();
  const lines = gateway
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

  // A failed start logs one line of its own, so this comes once nothing fails.
  expect(lines.find(({ msg }) => msg === 'starting')).toMatchObject({
    msg: 'starting',
    level: 'info',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect(lines.find(({ msg }) => msg === 'settings')).toMatchObject({
    level: 'debug',
    settings: {
      PARLEY_MODE: 'development',
      PARLEY_OPERATOR_TOKEN: '***',
      PARLEY_MASTER_KEY: '***',
      PARLEY_WHATSAPP_PROXY: 'socks5://***@127.0.0.1:1080',
    },
  });
  const brought = lines.filter(({ msg }) => msg === 'the schema was brought forward');
  expect(brought.map(({ version, name }) => ({ version, name }))).toEqual(
    migrations.map(({ version, name }) => ({ version, name })),
  );
  const ends = lines.filter(({ level }) => level === 'info').map(({ msg }) => msg);
  expect(ends.slice(-2)).toEqual(['stopping', 'stopped']);
  for (const secret of [OPERATOR_TOKEN, MASTER_KEY, 'out-of-here']) {
    expect(gateway.log()).not.toContain(secret);
  }
});
