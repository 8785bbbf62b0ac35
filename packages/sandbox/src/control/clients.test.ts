import { expect, test } from 'vitest';
import { createTestControl } from './fixture.ts';

test('the network demands a client version, and reports the newest one', async () => {
  const { world, get, put } = createTestControl();
  expect((await get('/clients')).body).toEqual({ minimum_version: '', current_version: '' });
  const demanded = { minimum_version: '2.3000.1040000000', current_version: '2.3000.1050000000' };
  expect(await put('/clients', demanded)).toEqual({ status: 200, body: demanded });
  expect(world.clients.versions()).toEqual({
    minimum: [2, 3000, 1040000000],
    current: [2, 3000, 1050000000],
  });
  expect((await put('/clients', { minimum_version: 'new' })).status).toBe(400);
  expect((await put('/clients', {})).body).toEqual({ minimum_version: '', current_version: '' });
});
