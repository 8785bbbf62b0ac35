import type { SealedBox } from '#kernel';
import type { Store } from '#store';
import { readTemplate, type Template, writeTemplate } from './definition.ts';
import {
  deleteTemplates,
  findTemplate,
  insertTemplate,
  listTemplates,
  type WantedTemplates,
} from './store.ts';

/** The templates of all accounts. Their texts are sealed: they are what messages will say. */
export interface Templates {
  find(accountId: string, name: string, language: string): Promise<Template | undefined>;
  list(accountId: string, wanted: WantedTemplates): Promise<Template[]>;
  /** In place of the one that there was of that name and language. */
  define(accountId: string, template: Template): Promise<void>;
  /** Of every language, unless one is named. False when there was none. */
  remove(accountId: string, name: string, language?: string): Promise<boolean>;
}

export function createTemplates({
  store,
  sealedBox,
}: {
  store: Store;
  sealedBox: Pick<SealedBox, 'seal' | 'open'>;
}): Templates {
  const opened = (accountId: string, sealed: Uint8Array): Template =>
    readTemplate(Buffer.from(sealedBox.open(sealed, contextOfTemplate(accountId))).toString());

  return {
    async find(accountId, name, language) {
      const row = await findTemplate(store.read, accountId, name, language);
      return row && opened(accountId, row.definition);
    },
    async list(accountId, wanted) {
      const rows = await listTemplates(store.read, accountId, wanted);
      return rows.map(({ definition }) => opened(accountId, definition));
    },
    define: (accountId, template) =>
      insertTemplate(store, {
        account_id: accountId,
        name: template.name,
        language: template.language,
        definition: sealedBox.seal(Buffer.from(writeTemplate(template)), contextOfTemplate(accountId)),
      }),
    remove: (accountId, name, language) => deleteTemplates(store, accountId, name, language),
  };
}

export function contextOfTemplate(accountId: string): string {
  return `compat template ${accountId}`;
}
