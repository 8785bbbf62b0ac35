import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTlsAuthority, issueTlsIdentity } from '../../packages/sandbox/src/wire/media/tls-identity.ts';
import { endWithUs, makeTemporaryFolder } from './cleanup.ts';
import { accepts, findOrInstall, freePort, stopProcess, waitUntilReady } from './processes.ts';
import type { Service } from './service.ts';

/** Gets the address of the proxy before it starts; returns the upstream port, or several, which nginx balances. */
type Upstream = (url: string) => Promise<number | readonly number[]>;

export interface TlsProxy extends Service {
  /** The certificate authority for clients. */
  readonly caPem: string;
}

interface Places {
  readonly folder: string;
  readonly certificate: string;
  readonly key: string;
  readonly port: number;
  readonly upstreamPorts: readonly number[];
}

const sample = (name: string): string =>
  readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8').replaceAll(
    '127.0.0.1:8080',
    'UPSTREAM',
  );

/** A reverse proxy with TLS on this machine, with our own sample configuration, except names, ports and files. */
async function startProxy(
  upstream: Upstream,
  name: string,
  run: (places: Places) => Promise<ChildProcess>,
): Promise<TlsProxy> {
  const random = { bytes: randomBytes };
  const authority = createTlsAuthority(random);
  const { certificatePem, keyPem } = issueTlsIdentity(authority, ['localhost', '127.0.0.1'], random);
  const { path: folder, remove } = makeTemporaryFolder(`parley-${name}-`);
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, certificatePem);
  writeFileSync(key, keyPem);
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const upstreamPorts = [await upstream(url)].flat();
  const server = endWithUs(await run({ folder, certificate, key, port, upstreamPorts }));
  await waitUntilReady(name, server, () => accepts(port));
  return {
    url,
    caPem: authority.caPem,
    async stop() {
      await stopProcess(server, 'SIGTERM');
      remove();
    },
  };
}

export function startNginx(upstream: Upstream): Promise<TlsProxy> {
  return startProxy(upstream, 'nginx', async ({ folder, certificate, key, port, upstreamPorts }) => {
    const program = await findOrInstall('nginx', 'nginx-light', ['/usr/sbin']);
    const server = sample('nginx/parley.conf')
      .replaceAll('parley.example.com;', 'localhost;')
      .replace('UPSTREAM', upstreamPorts.map((each) => `127.0.0.1:${each}`).join(' max_fails=0; server '))
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`);
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const file = join(folder, 'nginx.conf');
    const whole = [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr crit;`,
      'events { worker_connections 256; }',
      `http { access_log off; ${kept.join(' ')}`,
      server,
      '}',
    ];
    writeFileSync(file, whole.join('\n'));
    return spawn(program, ['-c', file], { stdio: 'ignore' });
  });
}

/** Debian's version of Caddy has another name for `request_buffers`. */
function forVersion(version: string, site: string): string {
  if (!/^v?2\.[0-6]\./.test(version)) return site;
  return site.replace(/^\t+request_buffers 2MB$/m, '\t\t\tbuffer_requests\n\t\t\tmax_buffer_size 2MB');
}

export function startCaddy(upstream: Upstream): Promise<TlsProxy> {
  return startProxy(
    upstream,
    'caddy',
    async ({ folder, certificate, key, port, upstreamPorts: [upstreamPort] }) => {
      const program = await findOrInstall('caddy', 'caddy');
      const site = sample('caddy/Caddyfile')
        .replace(
          /^parley\.example\.com \{/m,
          `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
        )
        .replaceAll('UPSTREAM', `127.0.0.1:${upstreamPort}`);
      const file = join(folder, 'Caddyfile');
      const global = '{\n\tadmin off\n\tauto_https disable_redirects\n';
      writeFileSync(
        file,
        forVersion(execFileSync(program, ['version'], { encoding: 'utf8' }), site.replace(/^\{\n/m, global)),
      );
      const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return spawn(program, ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
    },
  );
}
