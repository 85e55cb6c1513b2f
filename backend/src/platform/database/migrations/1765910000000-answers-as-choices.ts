import type { QueryRunner } from 'typeorm';

/** Stores the first of several answers to a request of a program as the others are stored. */
export class AnswersAsChoices1765910000000 {
  name = 'AnswersAsChoices1765910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`update generation set answer =
      (answer - '{text,finishReason,calls,reasoning,logprobs,choices,lacksFirst}'::text[]) ||
      jsonb_build_object('choices', jsonb_build_array(
        (answer - '{choices,lacksFirst,promptTokens,completionTokens,cachedTokens,reasoningTokens,created}'::text[]) ||
        jsonb_build_object('choice', 0) ||
        case when answer ? 'lacksFirst' then '{"finishReason": null}'::jsonb else '{}' end
      ) || coalesce(answer -> 'choices', '[]'))
      where answer is not null`);
  }
}
