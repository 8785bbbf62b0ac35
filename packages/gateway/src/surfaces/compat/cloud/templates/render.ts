import { type Fields, fileIn, isObject, objectIn, requiredText, textIn } from '../fields.ts';
import { GraphError } from '../graph-error.ts';
import type { Template, TemplateButton } from './templates.ts';

/** Prefix of a template button's payload, which marks the answer as one to a template. */
export const BUTTON_MARK = 'button:';

/** Renders a template with its parameters into fields of `POST /v1/messages`. */
export function renderTemplate(template: Template, sent: Fields): Record<string, unknown> {
  const given = componentsOf(sent);
  const body = fill(template.body, parametersOf(given, 'body'), 'body');
  const text = [headerText(template, given), body, template.footer].filter((part) => part !== undefined);
  const { header, buttons } = template;
  if (header && header.format !== 'TEXT') return withFile(header.format, given, text.join('\n\n'));
  if (buttons.length === 0) return { text: text.join('\n\n') };
  const above = text.slice(0, template.footer === undefined ? undefined : -1);
  return {
    type: 'interactive',
    interactive_body: above.join('\n\n'),
    ...(template.footer !== undefined && { interactive_footer: template.footer }),
    interactive_buttons: buttons.map((button, index) => rendered(button, buttonParameter(given, index))),
  };
}

function componentsOf(sent: Fields): Fields[] {
  const { components = [] } = sent;
  if (!Array.isArray(components) || !components.every(isObject))
    throw new GraphError(132012, "Param template['components'] must be an array of JSON objects.");
  return components;
}

function parametersOf(components: readonly Fields[], type: string): Fields[] {
  const component = components.find((each) => textIn(each, 'type')?.toLowerCase() === type);
  return listOf(component);
}

function listOf(component: Fields | undefined): Fields[] {
  const parameters = component?.parameters ?? [];
  if (!Array.isArray(parameters) || !parameters.every(isObject))
    throw new GraphError(132012, 'Parameters of a template must be JSON objects.');
  return parameters;
}

const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/** Parameters by position, or by name where the placeholders are named. */
function fill(text: string, parameters: readonly Fields[], component: string): string {
  const places = new Set([...text.matchAll(PLACE)].map(([, name = '']) => name));
  if (places.size !== parameters.length) {
    const counts = `number of localizable_params (${parameters.length}) does not match the expected number of params (${places.size})`;
    throw new GraphError(132000, `${component}: ${counts}`);
  }
  const named = new Map(parameters.map((each) => [textIn(each, 'parameter_name'), each]));
  return text.replaceAll(PLACE, (_place, name: string) => {
    const parameter = named.get(name) ?? (/^\d+$/.test(name) ? parameters[Number(name) - 1] : undefined);
    if (!parameter) throw new GraphError(132000, `${component}: there is no parameter for {{${name}}}`);
    return textOf(parameter);
  });
}

function textOf(parameter: Fields): string {
  const type = textIn(parameter, 'type') ?? 'text';
  switch (type) {
    case 'text':
      return requiredText(parameter, 'text', "parameters['text']");
    case 'currency':
    case 'date_time':
      return requiredText(objectIn(parameter, type), 'fallback_value', `${type}['fallback_value']`);
    default:
      throw new GraphError(132012, `A parameter of type ${type} cannot stand in a text.`);
  }
}

function headerText({ header }: Template, given: readonly Fields[]): string | undefined {
  if (header?.format !== 'TEXT') return undefined;
  return `*${fill(header.text, parametersOf(given, 'header'), 'header')}*`;
}

function withFile(format: string, given: readonly Fields[], caption: string): Record<string, unknown> {
  const type = format.toLowerCase();
  const parameter = parametersOf(given, 'header').find((each) => isObject(each[type]));
  if (!parameter) throw new GraphError(132012, `header: expected a parameter of type ${type}`);
  const file = objectIn(parameter, type);
  const fileName = textIn(file, 'filename');
  return {
    media_type: type,
    ...fileIn(file, type),
    caption,
    ...(fileName !== undefined && { file_name: fileName }),
  };
}

/** Parameter of the button at this index: the payload of an answer, the end of a link, the code to copy. */
function buttonParameter(given: readonly Fields[], index: number): string | undefined {
  const component = given.find(
    (each) => textIn(each, 'type')?.toLowerCase() === 'button' && Number(each.index) === index,
  );
  const [parameter] = listOf(component);
  if (!parameter) return undefined;
  return textIn(parameter, 'payload') ?? textIn(parameter, 'text') ?? textIn(parameter, 'coupon_code');
}

function rendered({ type, text, value }: TemplateButton, parameter: string | undefined): object {
  switch (type) {
    case 'QUICK_REPLY':
      return { type: 'quick_reply', display_text: text, id: BUTTON_MARK + (parameter ?? text) };
    case 'URL':
      return { type: 'cta_url', display_text: text, url: value.replaceAll(PLACE, () => parameter ?? '') };
    case 'PHONE_NUMBER':
      return { type: 'cta_call', display_text: text, phone_number: value };
    case 'COPY_CODE':
      if (parameter === undefined) throw new GraphError(132000, 'button: there is no code to copy');
      return { type: 'cta_copy', display_text: text, copy_code: parameter };
  }
}
