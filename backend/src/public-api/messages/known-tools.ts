/** A tool with what every model can read of it. */
interface DescribedTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
}

const text = (description: string) => ({ type: 'string', description });
const place = (description: string) => ({ type: 'array', items: { type: 'integer' }, description });
const oneOf = (...commands: string[]) => ({ type: 'string', enum: commands });
const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

const FILE = text('Absolute path of the file or folder.');
const RANGE = place('First and last line, from 1; -1 is the last one.');

const EDITS = {
  path: FILE,
  view_range: RANGE,
  file_text: text('For create: the text of the new file.'),
  old_str: text('For str_replace: the text to replace, which must stand in the file exactly once.'),
  new_str: text('For str_replace: the new text.'),
  insert_line: { type: 'integer', description: 'For insert: the line behind which the text is inserted, from 0.' },
};

const INSERTED = text('For insert: the text.');

const EDITOR = { description: 'Views, creates and edits text files.' };

const OLDER_EDITOR: DescribedTool = {
  ...EDITOR,
  name: 'str_replace_editor',
  input_schema: object(
    {
      command: oneOf('view', 'create', 'str_replace', 'insert', 'undo_edit'),
      ...EDITS,
      new_str: text('For str_replace and insert: the new text.'),
    },
    'command',
    'path',
  ),
};

const EDITOR_OF_2025: DescribedTool = {
  ...EDITOR,
  name: 'str_replace_based_edit_tool',
  input_schema: object(
    { command: oneOf('view', 'create', 'str_replace', 'insert'), ...EDITS, insert_text: INSERTED },
    'command',
    'path',
  ),
};

/**
 * Tools of Anthropic that the client runs, by the beginning of their type. Its models know their arguments; others read them
 * here, so that programs with these tools work with every model.
 */
const KNOWN: readonly [type: string, tool: DescribedTool][] = [
  [
    'bash_',
    {
      name: 'bash',
      description: 'Runs a command in a bash shell, whose state stays between calls.',
      input_schema: object({
        command: text('The command. Required unless restart is true.'),
        restart: { type: 'boolean', description: 'True to start the shell anew.' },
      }),
    },
  ],
  ['text_editor_2024', OLDER_EDITOR],
  ['text_editor_20250124', OLDER_EDITOR],
  ['text_editor_', EDITOR_OF_2025],
  [
    'memory_',
    {
      name: 'memory',
      description: 'Keeps notes for later conversations in files below /memories.',
      input_schema: object(
        {
          command: oneOf('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
          ...EDITS,
          insert_text: INSERTED,
          old_path: text('For rename: the present path.'),
          new_path: text('For rename: the new path.'),
        },
        'command',
      ),
    },
  ],
];

export const knownTool = (type: string): DescribedTool | undefined =>
  KNOWN.find(([beginning]) => type.startsWith(beginning))?.[1];
