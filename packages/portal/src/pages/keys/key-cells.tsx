import { type ApiKey, PERMISSIONS } from '@parley/contract';
import { keysTexts } from '../../texts/keys.ts';
import { permissionNames } from '../../texts/labels.ts';
import './keys.css';

/** Name and prefix of a key, to find it in a configuration. */
export function KeyName({ of: { name, prefix } }: { of: Pick<ApiKey, 'name' | 'prefix'> }) {
  return (
    <span class="key-name">
      <strong class="cut">{name}</strong>
      <code class="quiet cut">{prefix}…</code>
    </span>
  );
}

export function KeyPermissions({ of: { permissions } }: { of: Pick<ApiKey, 'permissions'> }) {
  if (permissions.length === PERMISSIONS.length) return <>{keysTexts.everything}</>;
  const names = permissions.map((permission) => permissionNames[permission]).join(', ');
  return <span title={names}>{names}</span>;
}
