import Type from 'typebox';
import type { ForeignEndpoint } from '#http';
import { TemplateBody, TemplateQuery } from '../bodies.ts';
import type { CloudContext } from '../context.ts';
import { onAccount } from '../endpoint.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { templateIdOf } from '../ids.ts';
import { afterKey, firstOf, limitOf, PAGE_MAX, PageQuery } from '../pages.ts';
import { parseTemplate, type Template } from '../templates/definition.ts';

/** Cannot stand in a name or a language. */
const BETWEEN = ' ';
const ListQuery = Type.Object({ ...PageQuery.properties, ...TemplateQuery.properties });

/** Templates are the account's own texts: nobody approves them here, they are good as soon as they are defined. */
export function templateEndpoints(context: CloudContext): ForeignEndpoint[] {
  const { templates } = context;
  return [
    onAccount(
      context,
      ['GET', '/:id/message_templates'],
      'listTemplates',
      async ({ caller: { accountId }, query }) => {
        const [name = '', language = ''] = afterKey(query)?.split(BETWEEN) ?? [];
        const found = await templates.list(accountId, {
          ...{ name: query.name, language: query.language },
          after: name === '' ? undefined : { name, language },
          // One more tells whether there is another page.
          limit: limitOf(query) + 1,
        });
        const { items, paging } = firstOf(found, keyOf, query);
        return { data: items.map((each) => describe(accountId, each)), paging };
      },
      { permission: 'messages', input: { query: ListQuery }, pageMax: PAGE_MAX },
    ),
    onAccount(
      context,
      ['POST', '/:id/message_templates'],
      'defineTemplate',
      async ({ body, caller: { accountId } }) => {
        const template = parseTemplate(body);
        await templates.define(accountId, template);
        const { id, status, category } = describe(accountId, template);
        return { id, status, category };
      },
      { permission: 'messages', input: { body: TemplateBody } },
    ),
    onAccount(
      context,
      ['DELETE', '/:id/message_templates'],
      'deleteTemplate',
      async ({ caller: { accountId }, query: { name, language } }) => {
        if (name === undefined) throw invalid('The parameter name is required.');
        if (!(await templates.remove(accountId, name, language)))
          throw new GraphError(132001, `There is no template ${name}.`);
        return { success: true };
      },
      { permission: 'messages', input: { query: TemplateQuery } },
    ),
  ];
}

function keyOf({ name, language }: Template): string {
  return name + BETWEEN + language;
}

function describe(accountId: string, template: Template) {
  const { name, language, category, components } = template;
  return { id: templateIdOf(accountId, template), name, language, category, status: 'APPROVED', components };
}
