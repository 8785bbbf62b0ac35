import type { SealedBox } from '#kernel';
import type { Store } from '#platform/store';
import { type Fields, isObject, objectsIn, requiredText, textIn } from '../fields.ts';
import { GraphError, invalid } from '../graph-error.ts';
import {
  deleteTemplates,
  findTemplate,
  insertTemplate,
  listTemplates,
  type WantedTemplates,
} from './template-queries.ts';

/** Templates of all accounts. Their texts are encrypted, because they become the content of messages. */
export interface Templates {
  find(accountId: string, name: string, language: string): Promise<Template | undefined>;
  list(accountId: string, wanted: WantedTemplates): Promise<Template[]>;
  /** Replaces the template of the same name and language. */
  define(accountId: string, template: Template): Promise<void>;
  /** Deletes every language unless one is named. False when there was none. */
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
    readTemplate(openTemplate(sealedBox, accountId, sealed));

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

/** Serialized definition of a template. */
export function openTemplate(
  sealedBox: Pick<SealedBox, 'open'>,
  accountId: string,
  sealed: Uint8Array,
): string {
  return Buffer.from(sealedBox.open(sealed, contextOfTemplate(accountId))).toString();
}

export function contextOfTemplate(accountId: string): string {
  return `compat template ${accountId}`;
}

/** Text with placeholders, sent by its name. This network requires no approval. */
export interface Template {
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly header?: { readonly format: HeaderFormat; readonly text: string };
  readonly body: string;
  readonly footer?: string;
  readonly buttons: readonly TemplateButton[];
  /** Original definition, for listing. */
  readonly components: readonly Fields[];
}

type HeaderFormat = (typeof HEADER_FORMATS)[number];
const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const;

export interface TemplateButton {
  readonly type: (typeof BUTTON_TYPES)[number];
  readonly text: string;
  /** Value of a link, a phone number or a code; empty for an answer. */
  readonly value: string;
}
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const;

const CATEGORIES: readonly string[] = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];
const BODY_MAX_LENGTH = 1_024;
const BUTTONS_MAX = 3;

/** Parses a template definition of the Graph API. */
export function parseTemplate(body: Fields): Template {
  const name = requiredText(body, 'name');
  if (!/^[a-z0-9_]{1,512}$/.test(name))
    throw invalid('Param name must have lowercase letters, digits and underscores only.');
  const language = requiredText(body, 'language');
  if (!/^[a-z]{2,3}(?:_[A-Za-z]{2,4})?$/.test(language))
    throw invalid('Param language must be a language such as en or en_US.');
  const category = (textIn(body, 'category') ?? 'UTILITY').toUpperCase();
  if (!CATEGORIES.includes(category))
    throw invalid(`Param category must be one of ${CATEGORIES.join(', ')}.`);
  const components = objectsIn(body, 'components');
  const byType = new Map(components.map((each) => [componentType(each), each]));
  if (byType.size < components.length)
    throw invalid('Param components must have one component of each type.');
  const [header, footer] = [headerOf(byType.get('HEADER')), byType.get('FOOTER')];
  const buttons = buttonsOf(byType.get('BUTTONS'));
  if (header && header.format !== 'TEXT' && buttons.length > 0)
    throw new GraphError(
      131009,
      'A template with a file in its header cannot have buttons for linked devices.',
    );
  return {
    name,
    language,
    category,
    ...(header && { header }),
    body: bodyOf(byType.get('BODY')),
    ...(footer && { footer: requiredText(footer, 'text', "components['FOOTER']['text']") }),
    buttons,
    components,
  };
}

function componentType(component: Fields): string {
  const type = requiredText(component, 'type', "components['type']").toUpperCase();
  if (!['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type))
    throw new GraphError(131009, `Components of type ${type} are not carried for linked devices.`);
  return type;
}

function bodyOf(component: Fields | undefined): string {
  if (!component) throw invalid('Param components must have a component of type BODY.');
  const text = requiredText(component, 'text', "components['BODY']['text']");
  if (text.length > BODY_MAX_LENGTH)
    throw invalid(`Param components['BODY']['text'] must have at most ${BODY_MAX_LENGTH} characters.`);
  return text;
}

function headerOf(component: Fields | undefined): Template['header'] {
  if (!component) return undefined;
  const wanted = (textIn(component, 'format') ?? 'TEXT').toUpperCase();
  const format = HEADER_FORMATS.find((each) => each === wanted);
  if (!format)
    throw invalid(`Param components['HEADER']['format'] must be one of ${HEADER_FORMATS.join(', ')}.`);
  return {
    format,
    text: format === 'TEXT' ? requiredText(component, 'text', "components['HEADER']['text']") : '',
  };
}

function buttonsOf(component: Fields | undefined): TemplateButton[] {
  if (!component) return [];
  const buttons = objectsIn(component, 'buttons', "components['BUTTONS']['buttons']");
  if (buttons.length > BUTTONS_MAX) throw invalid(`A template has at most ${BUTTONS_MAX} buttons.`);
  return buttons.map((button, index) => {
    const path = `components['BUTTONS']['buttons'][${index}]`;
    const wanted = requiredText(button, 'type', `${path}['type']`).toUpperCase();
    const type = BUTTON_TYPES.find((each) => each === wanted);
    if (!type) throw new GraphError(131009, `Buttons of type ${wanted} are not carried for linked devices.`);
    return {
      type,
      text: type === 'COPY_CODE' ? 'Copy code' : requiredText(button, 'text', `${path}['text']`),
      value: textOf(type, button, path),
    };
  });
}

function textOf(type: TemplateButton['type'], button: Fields, path: string): string {
  switch (type) {
    case 'URL':
      return requiredText(button, 'url', `${path}['url']`);
    case 'PHONE_NUMBER':
      return requiredText(button, 'phone_number', `${path}['phone_number']`);
    default:
      return '';
  }
}

/** Parses a stored definition by the same rules as a new one. */
export function readTemplate(definition: string): Template {
  const fields: unknown = JSON.parse(definition);
  if (!isObject(fields)) throw new TypeError('a stored template must be an object');
  return parseTemplate(fields);
}

export function writeTemplate({ name, language, category, components }: Template): string {
  return JSON.stringify({ name, language, category, components });
}
