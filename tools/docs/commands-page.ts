import { type Operation, operations } from '@parley/contract';
import type { CommandSpec, Option } from '../../packages/gateway/src/cli/command.ts';
import { COMMON_OPTIONS } from '../../packages/gateway/src/cli/parse.ts';
import { COMMANDS } from '../../packages/gateway/src/cli/run.ts';
import { CLIENT_VARIABLES, SETTINGS } from '../../packages/gateway/src/config/config.ts';

const INTRODUCTION = `# Command line

\`parley\` runs the gateway, and talks to a running one. In the repository it is \`npm run parley -- <command>\`; \`parley help\` lists everything,
\`parley <command> --help\` shows more about one.

## Connection

| What | Option | Variable | Default |
|---|---|---|---|
| where the gateway is | \`--url\` | \`${CLIENT_VARIABLES.url.name}\` | this machine, at \`${SETTINGS.port.name}\` |
| key of an account | \`--key\` | \`${CLIENT_VARIABLES.apiKey.name}\` | none |
| the operator's token | \`--token\` | \`${SETTINGS.operatorToken.name}\` | none |

The key of the demo is shown on the first start only; \`parley key create\` makes another. A variable is better than an option: options can be read by
every user of the machine.

Results go to standard output, progress to standard error. With \`--json\`, before the command or behind it, a result is one line of JSON, and \`listen\` and \`pair\` print a line for each thing
that happens. What goes wrong is one sentence, and the exit code is 1.

## In a shell

\`\`\`sh
source <(parley completion bash)   # or zsh
parley completion fish | source
\`\`\`

## For an AI assistant

\`parley mcp\` serves one number to an assistant that speaks the Model Context Protocol: a tool for each kind of message, and for groups, contacts,
channels and events. Give it a key that is restricted to that number and to what the assistant may do, so that no clever message can talk it into more:

\`\`\`sh
parley key create <account> assistant --phone 15550001001 --permission messages --permission sessions
\`\`\`

\`\`\`json
{
  "mcpServers": {
    "parley": {
      "command": "parley",
      "args": ["mcp"],
      "env": { "PARLEY_URL": "https://gateway.example.com", "PARLEY_API_KEY": "pk_…" }
    }
  }
}
\`\`\`

The command's options choose the number, never the assistant. \`--read-only\` leaves only the tools that change nothing. Linking, logging out, webhooks
and terms are not among the tools.
`;

/** A section per command, from the table of its help. */
export function commandsPage(): string {
  const always = Object.entries(COMMON_OPTIONS).map(([name, { help }]) => `\`--${name}\` (${help})`);
  const sections = COMMANDS.map(({ spec }) => sectionOf(spec));
  return `${INTRODUCTION}\n## Commands\n\nAll of them take ${always.join(' and ')}.\n\n${sections.join('\n')}`;
}

function sectionOf(spec: CommandSpec): string {
  const { name, help, arguments: args = [], options = {}, examples = [], talksTo } = spec;
  const usage = args.map((each) => (each.optional ? ` [${each.name}]` : ` <${each.name}>`)).join('');
  const credential = talksTo && (talksTo === 'account' ? ' Needs a key.' : " Needs the operator's token.");
  const calls = Object.values<Operation>(operations)
    .filter(({ cli }) => cli?.includes(name))
    .map(({ method, path }) => `\`${method} ${path}\``);
  const rows = [
    ...args.map((each) => row(each.name, each)),
    ...Object.entries(options).map(([option, each]) =>
      row(`--${option}${each.takes === undefined ? '' : ` <${each.takes}>`}`, each),
    ),
  ];
  return [
    `### ${name}`,
    '',
    `\`parley ${name}${usage}\`: ${help}.${credential ?? ''}${calls.length === 0 ? '' : ` Calls ${calls.join(', ')}.`}`,
    '',
    ...(rows.length === 0 ? [] : ['| | |', '|---|---|', ...rows, '']),
    ...(examples.length === 0 ? [] : ['```sh', ...examples, '```', '']),
  ].join('\n');
}

function row(name: string, { help, choices }: Pick<Option, 'help' | 'choices'>): string {
  const values = choices === undefined ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
  return `| \`${name}\` | ${help}${values} |`;
}
