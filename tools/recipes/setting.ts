import { insertBefore, type Recipe, replace } from './recipe.ts';

export const setting: Recipe = {
  name: 'setting',
  heading: 'A setting',
  subject: 'config: choose the first page',
  mostFiles: 3,
  edits: [
    {
      file: 'packages/gateway/src/config/settings.ts',
      note: 'its name, meaning, values and default',
      changes: [
        insertBefore(
          '  logLevel: {\n',
          `  startPage: {
    name: 'PARLEY_START_PAGE',
    meaning: 'where a browser that asks for the root is sent',
    takes: 'portal or docs',
    standard: 'portal',
    parse: oneOf(['portal', 'docs']),
  },
`,
        ),
      ],
    },
    {
      file: 'packages/gateway/src/app/http.ts',
      note: 'what it changes',
      changes: [replace('start: servesPortal ?', "start: servesPortal && config.startPage === 'portal' ?")],
    },
    {
      file: 'packages/gateway/src/config/config.test.ts',
      note: 'what it refuses',
      changes: [insertBefore("    ['PARLEY_LOG_LEVEL', 'loud'],\n", "    ['PARLEY_START_PAGE', 'home'],\n")],
    },
  ],
  tests: ['packages/gateway/src/config/config.test.ts'],
};
