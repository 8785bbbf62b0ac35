import { createApp } from '../app.ts';
import { loadConfig, readEnvironment } from '../config.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs the gateway until it is told to stop. */
export async function start(): Promise<void> {
  const config = loadConfig(readEnvironment());
  const app = await createApp(config);
  const address = await app.http.listen({ host: config.host, port: config.port });
  process.stdout.write(welcome(address, config.mode, config.operatorToken !== undefined));

  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
  // A second signal means that somebody has lost patience.
  for (const signal of SIGNALS) process.once(signal, () => process.exit(1));
  await app.close();
}

function welcome(address: string, mode: string, hasOperator: boolean): string {
  return [
    '',
    `  Parley is ready (${mode}).`,
    '',
    `  API         ${address}/v1`,
    `  Reference   ${address}/docs`,
    `  Operator    ${hasOperator ? `${address}/operator/v1` : 'set PARLEY_OPERATOR_TOKEN to turn it on'}`,
    '',
    '',
  ].join('\n');
}
