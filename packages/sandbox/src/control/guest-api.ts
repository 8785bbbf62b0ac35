import { decodedComponent } from '@parley/contract/plain';
import { refusalResponse } from './errors.ts';
import type { Guest } from './guests.ts';
import { controlRoutes, type SandboxControl } from './plugin.ts';
import type { ControlRoute } from './route.ts';

/** A request of a guest. The path is looked up in the route table only, so that it cannot reach anything else. */
export interface GuestRequest {
  readonly guest: Guest;
  readonly method: ControlRoute['method'];
  /** As in the HTTP interface, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

export interface GuestResponse {
  readonly status: number;
  readonly body: unknown;
}

export type GuestApi = (visit: GuestRequest) => Promise<GuestResponse>;

/** The interface for guests: the routes of the HTTP interface, each of which checks ownership. */
export function createGuestApi(control: SandboxControl): GuestApi {
  const routes = controlRoutes(control).map((row) => ({ row, pattern: row.path.split('/') }));

  return async ({ guest, method, path, body }) => {
    const { pathname, query } = takeApart(path);
    const found = routes.flatMap(({ row, pattern }) => {
      const params = match(pattern, pathname);
      return params ? [{ row, params }] : [];
    });
    if (found.length === 0) return refusal(404, 'not found');
    const asked = found.find(({ row }) => row.method === method);
    if (!asked) return refusal(405, 'method not allowed');
    try {
      const answer = await asked.row.handle({ guest, params: asked.params, query, body });
      const { status } = asked.row;
      return { status, body: status === 204 ? null : answer };
    } catch (error) {
      const response = refusalResponse(error);
      if (!response) throw error;
      return refusal(response.status, response.text);
    }
  };
}

const refusal = (status: number, error: string): GuestResponse => ({ status, body: { error } });

function takeApart(path: string): { pathname: string[]; query: Record<string, string> } {
  const at = path.indexOf('?');
  const [pathname, query] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
  return { pathname: pathname.split('/'), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Values of the parameters of a pattern such as `/phones/:phone`; undefined for another path. */
function match(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [place, expected] of pattern.entries()) {
    const given = path[place] ?? '';
    if (expected.startsWith(':')) params[expected.slice(1)] = decodedComponent(given) ?? given;
    else if (expected !== given) return undefined;
  }
  return params;
}
