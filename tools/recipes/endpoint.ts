import { insertBefore, type Recipe } from './recipe.ts';

export const endpoint: Recipe = {
  name: 'endpoint',
  heading: 'An endpoint',
  subject: 'contacts: answer the verified name of a business alone',
  mostFiles: 6,
  edits: [
    {
      file: 'packages/contract/src/operations/contacts.ts',
      note: 'its record',
      changes: [
        insertBefore("} from '../resources/index.ts';\n", '  VerifiedName,\n'),
        insertBefore(
          '  getContactPhoto: operation({\n',
          `  getVerifiedName: operation({
    ...onContacts,
    id: 'getVerifiedName',
    method: 'GET',
    path: '/v1/sessions/{id}/contacts/{jid}/verified-name',
    summary: "Get a business's verified name",
    params: contactPath,
    answers: { 200: VerifiedName },
    errors: ['contact_not_found', 'name_not_verified'],
    mcp: { tool: true, foreignText: true },
  }),
`,
        ),
      ],
    },
    {
      file: 'packages/contract/src/resources/contacts.ts',
      note: 'what it answers',
      changes: [
        insertBefore(
          'export const ProfilePicture = ',
          `export const VerifiedName = named('VerifiedName', {
  verified_name: Type.String({ examples: ['Harbour Books'] }),
});

`,
        ),
      ],
    },
    {
      file: 'packages/contract/src/errors/network.ts',
      note: 'an error of its own',
      changes: [
        insertBefore(
          '  photo_not_set: {\n',
          `  name_not_verified: {
    status: 404,
    text: 'the network has verified no name',
    advice: 'Only businesses have a name that the network has verified.',
  },
`,
        ),
      ],
    },
    {
      file: 'packages/gateway/src/operations/contacts.ts',
      note: 'its handler',
      changes: [
        insertBefore(
          '    serveAction(\n      operations.getContactPhoto,\n',
          `    serveAction(operations.getVerifiedName, { not_found: 'contact_not_found' }, async ({ number, params }) => {
      const { verifiedName } = await getHost(number).contacts.info(params.jid);
      if (verifiedName === undefined) throw apiError('name_not_verified');
      return { verified_name: verifiedName };
    }),
`,
        ),
      ],
    },
    {
      file: 'test/conformance/contacts.test.ts',
      note: 'what it does, through the whole gateway',
      changes: [
        insertBefore(
          "  test('without picture and business have neither', ",
          `  test('have a verified name of their own, or none', async () => {
    const shop = await linkedNumber(gateway, { business_name: 'The Shop' });
    const named = await me.on('GET', of(shop.jid, '/verified-name'));
    expect(named).toMatchObject({ status: 200, body: { verified_name: 'The Shop' } });
    const ada = await someone(gateway);
    expect(await me.on('GET', of(ada.jid, '/verified-name'))).toMatchObject({ status: 404 });
  });

`,
        ),
      ],
    },
  ],
  tests: [
    'packages/contract/src/operations',
    'packages/contract/src/openapi',
    'packages/contract/src/errors.test.ts',
    'packages/gateway/src/cli/mcp',
    'packages/gateway/src/surfaces/reference',
    'tools/docs',
    'test/conformance/contacts.test.ts',
  ],
};
