const SEALED = `
select openrouter_api_key_sealed as sealed from setting where openrouter_api_key_sealed is not null
union all select openai_api_key_sealed from setting where openai_api_key_sealed is not null
union all select brave_api_key_sealed from setting where brave_api_key_sealed is not null
union all select tavily_api_key_sealed from setting where tavily_api_key_sealed is not null
union all select api_key_sealed from provider_connection where api_key_sealed is not null
union all select headers_sealed from tool_server where headers_sealed is not null
union all select secret_sealed from totp where secret_sealed is not null
union all select api_key_sealed from "user" where api_key_sealed is not null`;

/** Counts the stored keys, and those that this installation's APP_SECRET opens. */
export async function openedKeys(client, secrets) {
  const { rows } = await client.query(SEALED);
  return { stored: rows.length, opened: rows.filter(({ sealed }) => secrets.open(sealed) !== null).length };
}

export function keysMessage({ stored, opened }) {
  if (opened === stored) return `APP_SECRET opens all ${stored} stored keys.`;
  return `APP_SECRET opens only ${opened} of ${stored} stored keys: they were sealed under another one.`;
}
