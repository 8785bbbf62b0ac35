import { PASSKEY_CREDENTIAL_EXAMPLE } from '@parley/contract';
import { expect, it } from 'vitest';
import { moveIn, OPERATOR_TOKEN, startGateway } from '#testing';
import { allOperations, sampleRequest } from './testing/harness.ts';

const CONTENT = 'the-words-of-a-message';
const PASSWORD = 'the-password-of-an-owner';

it('never logs secrets of a request, whatever its outcome', async () => {
  const gateway = await startGateway();
  const ada = await moveIn(gateway);
  const askEverything = async (key: string | undefined): Promise<void> => {
    for (const operation of allOperations) {
      const { url, body } = sampleRequest(operation, ada);
      const secrets = { text: CONTENT, password: PASSWORD, caption: CONTENT, secret: CONTENT };
      for (const sent of [body, body && { ...body, ...secrets }, body && `{"text": "${CONTENT}"`])
        await gateway.request({ method: operation.method, url, key, body: sent });
    }
  };
  const email = 'owner@example.com';
  await gateway.operate('POST', '/accounts', { name: 'Owner', email, password: PASSWORD });
  for (const key of [ada.apiKey, OPERATOR_TOKEN, `${ada.apiKey}x`, undefined]) await askEverything(key);
  await gateway.loseDatabase();
  for (const key of [ada.apiKey, OPERATOR_TOKEN]) await askEverything(key);

  const log = gateway.log();
  // The lines exist: responses that failed without the database.
  expect(log).toContain('store_unreachable');
  const [, , secret = ''] = ada.apiKey.split('_');
  const { clientDataJSON, signature } = PASSKEY_CREDENTIAL_EXAMPLE.response;
  for (const each of [ada.apiKey, secret, OPERATOR_TOKEN, CONTENT, PASSWORD, clientDataJSON, signature])
    expect(log).not.toContain(each);
  await gateway.close();
});
