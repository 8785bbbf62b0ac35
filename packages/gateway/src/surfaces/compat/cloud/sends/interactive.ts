import { type Fields, isObject, objectIn, objectsIn, requiredText, textIn } from '../fields.ts';
import { GraphError } from '../graph-error.ts';

/** Prefix of row ids, which marks an answer as one to a list; the answer returns the id unchanged. */
export const ROW_MARK = 'list_reply:';

/** Buttons and lists, in the form that the network carries for linked devices. */
export function interactiveContent(interactive: Fields): Record<string, unknown> {
  const type = requiredText(interactive, 'type', "interactive['type']");
  switch (type) {
    case 'button':
      return withButtons(interactive, replyButtons(actionOf(interactive)));
    case 'list':
      return withButtons(interactive, [listButton(actionOf(interactive))]);
    case 'cta_url':
      return withButtons(interactive, [urlButton(actionOf(interactive))]);
    case 'location_request_message':
      // Linked devices have no such button: the request arrives as text, and the recipient can share a location as usual.
      return { text: bodyOf(interactive) };
    default:
      throw new GraphError(
        131051,
        `Interactive messages of type ${type} are not carried for linked devices.`,
      );
  }
}

function actionOf(interactive: Fields): Fields {
  return objectIn(interactive, 'action', "interactive['action']");
}

function withButtons(interactive: Fields, buttons: object[]): Record<string, unknown> {
  const footer = isObject(interactive.footer) ? textIn(interactive.footer, 'text') : undefined;
  return {
    type: 'interactive',
    interactive_body: bodyOf(interactive),
    ...(footer !== undefined && { interactive_footer: footer }),
    interactive_buttons: buttons,
  };
}

/** The network has no header here, so its text precedes the body. */
function bodyOf(interactive: Fields): string {
  const body = requiredText(
    objectIn(interactive, 'body', "interactive['body']"),
    'text',
    "interactive['body']['text']",
  );
  if (interactive.header === undefined || interactive.header === null) return body;
  const header = objectIn(interactive, 'header', "interactive['header']");
  const type = textIn(header, 'type') ?? 'text';
  if (type !== 'text')
    throw new GraphError(131051, `Headers of type ${type} are not carried for linked devices.`);
  return `*${requiredText(header, 'text', "interactive['header']['text']")}*\n\n${body}`;
}

function replyButtons(action: Fields): object[] {
  return objectsIn(action, 'buttons', "interactive['action']['buttons']").map((button, index) => {
    const path = `interactive['action']['buttons'][${index}]['reply']`;
    const reply = objectIn(button, 'reply', path);
    return {
      type: 'quick_reply',
      display_text: requiredText(reply, 'title', `${path}['title']`),
      id: requiredText(reply, 'id', `${path}['id']`),
    };
  });
}

function listButton(action: Fields): object {
  const label = requiredText(action, 'button', "interactive['action']['button']");
  const sections = objectsIn(action, 'sections', "interactive['action']['sections']");
  return {
    type: 'single_select',
    display_text: label,
    sections: sections.map((section, index) => {
      const path = `interactive['action']['sections'][${index}]`;
      return {
        // A single section needs no title in the Graph API, but a phone shows one.
        title: textIn(section, 'title', `${path}['title']`) ?? label,
        rows: objectsIn(section, 'rows', `${path}['rows']`).map((row, at) =>
          rowOf(row, `${path}['rows'][${at}]`),
        ),
      };
    }),
  };
}

function rowOf(row: Fields, path: string): object {
  const description = textIn(row, 'description', `${path}['description']`);
  return {
    id: ROW_MARK + requiredText(row, 'id', `${path}['id']`),
    title: requiredText(row, 'title', `${path}['title']`),
    ...(description !== undefined && { description }),
  };
}

function urlButton(action: Fields): object {
  const parameters = objectIn(action, 'parameters', "interactive['action']['parameters']");
  return {
    type: 'cta_url',
    display_text: requiredText(
      parameters,
      'display_text',
      "interactive['action']['parameters']['display_text']",
    ),
    url: requiredText(parameters, 'url', "interactive['action']['parameters']['url']"),
  };
}
