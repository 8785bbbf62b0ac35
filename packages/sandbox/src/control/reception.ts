import { decodedComponent } from '@parley/contract/plain';
import { judge } from './errors.ts';
import type { Guest } from './guests.ts';
import { controlRoutes, type SandboxControl } from './plugin.ts';
import type { ControlRoute } from './route.ts';

/** What a guest asks of the network. The path is looked up in the table of the interface and nowhere else: it leads to nothing that is not in there. */
export interface Visit {
  readonly guest: Guest;
  readonly method: ControlRoute['method'];
  /** As in the HTTP interface, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

export interface VisitAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type Reception = (visit: Visit) => Promise<VisitAnswer>;

/** The interface for guests: the same rows as over HTTP, each of which looks after what is whose. */
export function createReception(control: SandboxControl): Reception {
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
      const judged = judge(error);
      if (!judged) throw error;
      return refusal(judged.status, judged.text);
    }
  };
}

const refusal = (status: number, error: string): VisitAnswer => ({ status, body: { error } });

function takeApart(path: string): { pathname: string[]; query: Record<string, string> } {
  const at = path.indexOf('?');
  const [pathname, query] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
  return { pathname: pathname.split('/'), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** What stands for the names of a pattern such as `/phones/:phone`; undefined when it is another path. */
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
