import type { CommandSpec } from './command.ts';
import { optionsOf } from './parse.ts';
import type { Terminal } from './terminal.ts';

/** Prints a script that completes all commands, with their options and the values that these take. */
export function completion(
  shell: string,
  commands: readonly { readonly spec: CommandSpec }[],
  terminal: Terminal,
): void {
  const specs = commands.map(({ spec }) => spec);
  const script = shell === 'fish' ? fish(specs) : shell === 'zsh' ? zsh(specs) : bash(specs);
  terminal.show({ shell, script }, () => script);
}

/** What may come behind which words: `''` → commands, `account` → its commands, `send` → options, `send --from` → values. */
function candidates(specs: readonly CommandSpec[]): Map<string, string[]> {
  const map = new Map<string, string[]>();
  const add = (path: string, words: readonly string[]): void => {
    map.set(path, [...new Set([...(map.get(path) ?? []), ...words])]);
  };
  add('', ['help']);
  for (const spec of specs) {
    const words = spec.name.split(' ');
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), [word]);
    const choices = (spec.arguments ?? []).flatMap((argument) => argument.choices ?? []);
    add(spec.name, [...choices, ...Object.keys(optionsOf(spec)).map((name) => `--${name}`)]);
    for (const [name, option] of Object.entries(optionsOf(spec))) {
      if (option.takes !== undefined) add(`${spec.name} --${name}`, option.choices ?? []);
    }
  }
  return map;
}

/** Finds out how many of the words so far name a command, and offers what may come behind them. */
function bash(specs: readonly CommandSpec[]): string {
  return `_parley() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path=\${COMP_WORDS[1]} words=
  [[ $COMP_CWORD -gt 2 && " ${groups(specs).join(' ')} " == *" $path "* ]] && path+=" \${COMP_WORDS[2]}"
  [[ $COMP_CWORD -eq 1 ]] && path=
  [[ $previous == --* ]] && _parley_words "$path $previous" && COMPREPLY=($(compgen -W "$words" -- "$current")) && return
  _parley_words "$path"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
_parley_words() {
  case $1 in
${[...candidates(specs)].map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
    *) return 1 ;;
  esac
}
complete -o default -F _parley parley`;
}

/** zsh runs the functions of bash when it is asked to. */
function zsh(specs: readonly CommandSpec[]): string {
  return `autoload -Uz compinit bashcompinit && compinit -u && bashcompinit\n${bash(specs)}`;
}

function fish(specs: readonly CommandSpec[]): string {
  const lines = [
    'complete -c parley -f',
    "complete -c parley -n __fish_use_subcommand -a help -d 'show all commands'",
  ];
  for (const spec of specs) {
    const [first = '', second] = spec.name.split(' ');
    const said = `-d ${quoted(spec.help)}`;
    if (second === undefined) lines.push(`complete -c parley -n __fish_use_subcommand -a ${first} ${said}`);
    else {
      lines.push(`complete -c parley -n __fish_use_subcommand -a ${first}`);
      lines.push(
        `complete -c parley -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${siblings(specs, first).join(' ')}' -a ${second} ${said}`,
      );
    }
    const seen = second === undefined ? first : `${first}; and __fish_seen_subcommand_from ${second}`;
    for (const choice of (spec.arguments ?? []).flatMap((argument) => argument.choices ?? [])) {
      lines.push(`complete -c parley -n '__fish_seen_subcommand_from ${seen}' -a ${choice}`);
    }
    for (const [name, { help, takes, choices = [] }] of Object.entries(optionsOf(spec))) {
      const values =
        takes === undefined ? '' : choices.length === 0 ? ' -r' : ` -x -a '${choices.join(' ')}'`;
      lines.push(
        `complete -c parley -n '__fish_seen_subcommand_from ${seen}' -l ${name}${values} -d ${quoted(help)}`,
      );
    }
  }
  return [...new Set(lines)].join('\n');
}

/** First words that need a second one. */
function groups(specs: readonly CommandSpec[]): string[] {
  return [
    ...new Set(specs.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0] ?? '')),
  ];
}

function siblings(specs: readonly CommandSpec[], first: string): string[] {
  return specs.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1] ?? '');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
