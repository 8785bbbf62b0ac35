import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_CONNECTION_CONFIG, type proto } from 'baileys';
import type { ClientVersion, World } from '../../world/index.ts';
import type { Clock } from '../ports.ts';
import { type Node, node, SERVER } from '../transport/nodes.ts';

/** Accepted client versions, and the announcement of newer ones. */
export interface VersionGate {
  /** Whether the network refuses this client for its version. */
  isTooOld(payload: proto.IClientPayload): boolean;
  /** Announces when the network will refuse this client; undefined for one that it goes on accepting. */
  notice(payload: proto.IClientPayload): Node | undefined;
  /** Serves the pages from which official clients read the current version; false for any other request. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

export function createVersionGate({ clients }: Pick<World, 'clients'>, clock: Clock): VersionGate {
  const pages: Readonly<Record<string, { type: string; page: (revision: number) => string }>> = {
    '/': { type: 'text/html', page: frontPage },
    '/sw.js': { type: 'text/javascript', page: serviceWorker },
  };

  const endOf = (payload: proto.IClientPayload): number | undefined => {
    const { current, oldRefusedAt } = clients.versions();
    return current && isOlder(versionOf(payload), current) ? oldRefusedAt : undefined;
  };

  return {
    isTooOld(payload) {
      const { minimum } = clients.versions();
      if (minimum && isOlder(versionOf(payload), minimum)) return true;
      const refusedAt = endOf(payload);
      return refusedAt !== undefined && clock.now() >= refusedAt;
    },

    notice(payload) {
      const refusedAt = endOf(payload);
      if (refusedAt === undefined) return undefined;
      const t = Math.floor(refusedAt / 1_000);
      return node('ib', { from: SERVER }, [node('client_expiration', { t })]);
    },

    serve({ method, url = '' }, response) {
      const asked = pages[url.split('?')[0] ?? ''];
      if (!asked || method !== 'GET') return false;
      const [, , builtIn] = DEFAULT_CONNECTION_CONFIG.version;
      const revision = clients.versions().current?.[2] ?? builtIn;
      response.writeHead(200, { 'content-type': `${asked.type}; charset=utf-8` }).end(asked.page(revision));
      return true;
    },
  };
}

function versionOf({ userAgent }: proto.IClientPayload): ClientVersion {
  const { primary, secondary, tertiary } = userAgent?.appVersion ?? {};
  return [primary ?? 0, secondary ?? 0, tertiary ?? 0];
}

function isOlder(version: ClientVersion, than: ClientVersion): boolean {
  const at = version.findIndex((part, place) => part !== than[place]);
  return at >= 0 && (version[at] ?? 0) < (than[at] ?? 0);
}

/** The version is inside a string of the script, so its quotes are escaped. */
function serviceWorker(revision: number): string {
  const data = JSON.stringify({ dynamic_data: { SiteData: siteData(revision) } });
  return `self.__swData=JSON.parse(${JSON.stringify(data)});\n`;
}

function frontPage(revision: number): string {
  const data = JSON.stringify({ define: [['SiteData', [], siteData(revision), 317]] });
  return `<!doctype html><title>Sandbox</title><script type="application/json">${data}</script>\n`;
}

const siteData = (revision: number) => ({
  server_revision: revision,
  client_revision: revision,
  push_phase: 'C3',
});
