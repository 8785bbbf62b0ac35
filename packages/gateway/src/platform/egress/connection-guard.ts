import { Socket } from 'node:net';
import { EgressError } from './errors.ts';

/** Hosts by name: `.name` stands for all hosts below it, `name:port` for one port of a host, `:port` for one of any. */
export type AllowedHosts = readonly string[];

/** Where the network's web client connects, loads its page, and keeps files. */
export const NETWORK_HOSTS: AllowedHosts = ['web.whatsapp.com', '.whatsapp.net'];

export function isAllowed(hosts: AllowedHosts, hostname: string, port: string | number): boolean {
  const name = unbracketed(hostname.toLowerCase());
  return hosts.some((host) => {
    const allowed = unbracketed(host);
    return allowed.startsWith('.')
      ? name.endsWith(allowed)
      : [name, `${name}:${port}`, `:${port}`].includes(allowed);
  });
}

/** Without the brackets of an IPv6 address, which URLs have and sockets do not. */
function unbracketed(host: string): string {
  return host.replace(/^\[([^\]]*)\]/, '$1');
}

const CHECKED = Symbol('checked connection');

/** Options of connections whose client checks the target itself: files from addresses of users, configured services. */
export const CHECKED_CONNECTION = { [CHECKED]: true };

/**
 * Refuses connections of this thread to other hosts, whichever library opens them. All of them, encrypted or not, are opened by one
 * method of sockets, which each thread has of its own.
 */
export function guardConnections({
  hosts,
  onRefused,
}: {
  readonly hosts: AllowedHosts;
  readonly onRefused: (host: string) => void;
}): void {
  const { connect } = Socket.prototype;
  function guarded(this: Socket, ...args: unknown[]): Socket {
    const { path, host = 'localhost', port, [CHECKED]: isChecked } = optionsIn(args);
    if (isChecked || path || isAllowed(hosts, String(host), String(port))) {
      return Reflect.apply(connect, this, args);
    }
    onRefused(String(host));
    return this.destroy(new EgressError('forbidden_address'));
  }
  Object.defineProperty(Socket.prototype, 'connect', { value: guarded, writable: true, configurable: true });
}

interface ConnectOptions {
  readonly host?: unknown;
  readonly port?: unknown;
  /** Of a socket on this machine. */
  readonly path?: unknown;
  readonly [CHECKED]?: unknown;
}

/** Reads the forms of `connect`: options, port and host, path; and an array with options, from Node.js itself. */
function optionsIn([first, second]: readonly unknown[]): ConnectOptions {
  const target: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof target === 'object' && target !== null) return target;
  const isPort = typeof target === 'number' || /^\d+$/.test(String(target));
  if (!isPort) return { path: target };
  return { port: target, ...(typeof second === 'string' && { host: second }) };
}
