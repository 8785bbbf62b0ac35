import type { ForeignEndpoint } from '#http';
import { type CloudContext, checkAccount, endpoint } from '../context.ts';
import { isObject } from '../fields.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { templateIdOf } from '../ids.ts';
import { parseTemplate, type Template } from '../templates/definition.ts';

/** Templates are the account's own texts: nobody approves them here, they are good as soon as they are defined. */
export function templateEndpoints(context: CloudContext): ForeignEndpoint[] {
  const { templates } = context;
  const mayDefine = { permission: 'messages' } as const;
  return [
    endpoint(
      ['GET', '/:id/message_templates'],
      'listTemplates',
      async (call) => {
        await checkAccount(context, call);
        const { accountId } = call.caller;
        const { name, language } = call.query;
        const found = (await templates.list(accountId)).filter(
          (each) => (name ?? each.name) === each.name && (language ?? each.language) === each.language,
        );
        return { data: found.map((each) => describe(accountId, each)), paging: {} };
      },
      mayDefine,
    ),
    endpoint(
      ['POST', '/:id/message_templates'],
      'defineTemplate',
      async (call) => {
        await checkAccount(context, call);
        if (!isObject(call.body)) throw invalid('The body must be a JSON object.');
        const template = parseTemplate(call.body);
        await templates.define(call.caller.accountId, template);
        const { id, status, category } = describe(call.caller.accountId, template);
        return { id, status, category };
      },
      mayDefine,
    ),
    endpoint(
      ['DELETE', '/:id/message_templates'],
      'deleteTemplate',
      async (call) => {
        await checkAccount(context, call);
        const { name } = call.query;
        if (typeof name !== 'string' || name === '') throw invalid('The parameter name is required.');
        const { language } = call.query;
        const removed = await templates.remove(
          call.caller.accountId,
          name,
          typeof language === 'string' ? language : undefined,
        );
        if (!removed) throw new GraphError(132001, `There is no template ${name}.`);
        return { success: true };
      },
      mayDefine,
    ),
  ];
}

function describe(accountId: string, template: Template) {
  const { name, language, category, components } = template;
  return { id: templateIdOf(accountId, template), name, language, category, status: 'APPROVED', components };
}
