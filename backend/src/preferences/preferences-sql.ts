/**
 * SQL of the table `user_preference` for statements of other rooms. An admission reads the custom instructions in its own
 * statement, so that a send needs no further query.
 */

export interface InstructionsColumn {
  aboutMe: string;
  howToAnswer: string;
  useInstructions: boolean;
}

/** Expression of type json: the custom instructions of the account `:userId`, which may be null; null without a row. */
export const INSTRUCTIONS = `(
    select json_build_object('aboutMe', about_me, 'howToAnswer', how_to_answer, 'useInstructions', use_instructions)
    from user_preference where user_id = :userId::int
  )`;
