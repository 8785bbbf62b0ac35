import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, SETTINGS } from '../../packages/gateway/src/config/config.ts';

/** Environments that the platforms' templates yield; a gateway must start with each. */
const read = (file: string): string => readFileSync(`deploy/platforms/${file}`, 'utf8');
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const HEX = '0123456789abcdef'.repeat(4);

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((done, [name, value]) => done.replaceAll(name, value), text);
}

const asEnvironment = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s, 2)));

const environments: Readonly<Record<string, () => Record<string, string>>> = {
  coolify() {
    const text = filled(read('coolify/parley.yaml'), {
      '${SERVICE_URL_PARLEY}': 'https://parley.example.com',
      '${SERVICE_REALBASE64_MASTERKEY}': MASTER_KEY,
      '${SERVICE_PASSWORD_64_OPERATOR}': HEX,
    });
    return asEnvironment(parse(text).services.parley.environment);
  },
  caprover() {
    const { services, caproverOneClickApp } = parse(read('caprover/parley.yml'));
    const given = Object.fromEntries(
      caproverOneClickApp.variables.map(({ id, defaultValue, validRegex }: CapRoverVariable) => {
        const value = String(defaultValue).replace(/\$\$cap_gen_random_hex\((\d+)\)/, (_whole, length) =>
          HEX.slice(0, Number(length)),
        );
        expect(value).toMatch(new RegExp(validRegex.slice(1, -1)));
        return [id, value];
      }),
    );
    const text = filled(JSON.stringify(services), {
      ...given,
      $$cap_root_domain: 'example.com',
      $$cap_appname: 'parley',
    });
    return JSON.parse(text).parley.environment;
  },
  dokploy() {
    const toml = read('dokploy/template.toml');
    const [, env = ''] = toml.split('[config.env]');
    const lines = env
      .trim()
      .split('\n')
      .map((line) => line.replace(/^(\w+) = "(.*)"$/, '$1=$2'));
    const text = filled(lines.join('\n'), {
      '${main_domain}': 'parley.example.com',
      '${master_key}': MASTER_KEY,
      '${operator_token}': HEX,
    });
    const given = asEnvironment(text.split('\n'));
    const { parley } = parse(read('dokploy/docker-compose.yml')).services;
    expect(toml).toContain('serviceName = "parley"');
    return Object.fromEntries(
      Object.entries<string>(parley.environment).map(([name, value]) => [
        name,
        value.replace(/^\$\{(\w+)\}$/, (_whole, of) => given[of] ?? ''),
      ]),
    );
  },
  easypanel() {
    const [{ data }] = JSON.parse(read('easypanel/parley.json')).services;
    expect(data.domains[0].port).toBe(8080);
    expect(data.mounts[0].mountPath).toBe('/data');
    const text = filled(data.env, { '$(PRIMARY_DOMAIN)': 'parley.example.com' });
    // Values that the template asks its user for.
    return { ...asEnvironment(text.split('\n')), PARLEY_MASTER_KEY: MASTER_KEY, PARLEY_OPERATOR_TOKEN: HEX };
  },
};

interface CapRoverVariable {
  readonly id: string;
  readonly defaultValue: unknown;
  readonly validRegex: string;
}

describe('templates of platforms', () => {
  it.each(Object.entries(environments))('start a gateway on %s', (_name, environment) => {
    const config = loadConfig(environment());
    expect(config).toMatchObject({ mode: 'production', network: 'whatsapp' });
    expect(config.publicUrl).toBe('https://parley.example.com');
    expect(config.trustedProxies.length).toBeGreaterThan(0);
  });

  it('name existing settings only', () => {
    const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));
    for (const file of globSync('deploy/{platforms,helm,systemd}/**/*.{yml,yaml,toml,json,service}')) {
      const named = new Set(readFileSync(file, 'utf8').match(/\bPARLEY_[A-Z]\w+/g));
      expect(
        [...named].filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
  });

  it('configure image, volume and health check on Railway', () => {
    const { build, deploy } = JSON.parse(read('railway/railway.json'));
    expect(readFileSync(build.dockerfilePath, 'utf8')).toContain(`VOLUME ${deploy.requiredMountPath}`);
    expect(deploy.healthcheckPath).toBe('/healthz');
  });
});
