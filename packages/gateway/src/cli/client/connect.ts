import { createParley, MessageFailedError, type Parley, ParleyError } from 'parley-sdk';
import { createOperator, type Operator } from 'parley-sdk/operator';
import { CLIENT_VARIABLES, type Environment, readEnvironment, SETTINGS } from '../../config/config.ts';
import { CommandError, type ConnectionOptions } from '../command.ts';

/** The client of the account whose key was given. */
export function account(options: ConnectionOptions, environment = readEnvironment()): Parley {
  const { name } = CLIENT_VARIABLES.apiKey;
  const apiKey = options.key ?? environment[name];
  if (!apiKey) {
    throw new CommandError(
      `an API key is needed: pass --key or set ${name}; parley key create makes one (the demo's own was shown on the first start only)`,
    );
  }
  return createParley({ url: urlOf(options, environment), apiKey });
}

/** The client of the operator. */
export function operator(options: ConnectionOptions, environment = readEnvironment()): Operator {
  const client = operatorIfAny(options, environment);
  if (client) return client;
  const { name } = SETTINGS.operatorToken;
  throw new CommandError(
    `the operator token is needed: pass --token or set ${name}, to what the gateway was started with`,
  );
}

export function operatorIfAny(
  options: ConnectionOptions,
  environment = readEnvironment(),
): Operator | undefined {
  const token = options.token ?? environment[SETTINGS.operatorToken.name];
  return token ? createOperator({ url: urlOf(options, environment), token }) : undefined;
}

export function urlOf({ url }: ConnectionOptions, environment: Environment): string {
  const given = url ?? environment[CLIENT_VARIABLES.url.name];
  if (!given) return `http://127.0.0.1:${environment[SETTINGS.port.name] || SETTINGS.port.standard}`;
  if (!/^https?:\/\/[^\s?#]+$/.test(given) || !URL.canParse(given)) {
    throw new CommandError(
      `"${given}" is not the address of a gateway; it takes ${CLIENT_VARIABLES.url.takes}`,
    );
  }
  return given;
}

/** What to do about a refusal, where the gateway's own sentence does not say it. */
export function advised(error: unknown): unknown {
  if (error instanceof MessageFailedError) return new CommandError(error.message);
  if (!(error instanceof ParleyError)) return error;
  const advice = ADVICE[error.code];
  return new CommandError(advice === undefined ? error.message : `${error.message}; ${advice}`);
}

const ADVICE: Partial<Record<ParleyError['code'], string>> = {
  unreachable: 'start it with parley start, or pass --url',
  api_key_invalid: `pass another with --key or ${CLIENT_VARIABLES.apiKey.name}`,
  operator_token_invalid: `pass another with --token or ${SETTINGS.operatorToken.name}`,
  not_found: `is this a gateway, and was it started with ${SETTINGS.operatorToken.name}?`,
  session_not_hosted: 'parley session list shows how it is, parley pair links it',
  tos_not_accepted: 'the owner accepts them in the portal',
};

/** All items of a list that is answered in pages. */
export async function everyPage<P extends { readonly next_cursor: string | null }, T>(
  load: (page: { cursor?: string }) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const items: T[] = [];
  let page = await load({});
  items.push(...itemsOf(page));
  while (page.next_cursor !== null) {
    page = await load({ cursor: page.next_cursor });
    items.push(...itemsOf(page));
  }
  return items;
}
