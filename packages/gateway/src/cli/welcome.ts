import type { Config } from '../config.ts';
import { curlLine, type Demo } from '../first-run.ts';

/** What the gateway says when it is ready. Secrets are in it once: on the first run, in development. */
export function welcome(address: string, config: Config, demo: Demo | undefined): string {
  const addresses = [
    ['Portal', `${address}/portal`],
    ['API', `${address}/v1`],
    ['Guides', `${address}/docs/guides`],
    ['Reference', `${address}/docs`],
    [
      'Operator',
      config.operatorToken === undefined
        ? 'set PARLEY_OPERATOR_TOKEN to turn it on'
        : `${address}/operator/v1`,
    ],
    ...(config.network === 'sandbox' ? [['Sandbox', `${config.sandboxUrl ?? address}/sandbox/v1`]] : []),
  ] as const;
  return [
    '',
    `  Parley is ready (${config.mode}).`,
    '',
    ...addresses.map(line),
    ...(demo ? invitation(address, demo) : []),
    '',
  ].join('\n');
}

function invitation(address: string, demo: Demo): string[] {
  return [
    '',
    '  A demo account was made, with a number that is linked to a virtual phone. This is shown only now:',
    '',
    ...(
      [
        ['Sign in', `${demo.email}  ${demo.password}`],
        ['API key', demo.apiKey],
        ['Session', demo.sessionId],
      ] as const
    ).map(line),
    '',
    '  Send a message from it to Ada, another virtual phone:',
    '',
    `  ${curlLine(address, demo)}`,
  ];
}

function line([name = '', value = '']: readonly string[]): string {
  return `  ${name.padEnd(12)}${value}`;
}
