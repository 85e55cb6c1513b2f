import { McpSession } from '../../../src/tools/mcp/mcp-session.js';

/**
 * The client of tool servers as a program that a conformance suite runs with the address of its server: opens a session,
 * calls each listed tool once, and ends the session.
 */
const ARGUMENTS: Record<string, Record<string, unknown>> = { add_numbers: { a: 5, b: 3 } };

const TIMEOUT_MS = 25_000;

const signal = AbortSignal.timeout(TIMEOUT_MS);
const session = await McpSession.open({ url: process.argv.at(-1)!, headers: {} }, signal);
const { tools } = await session.listTools(signal);
for (const { name } of tools) await session.call(name, ARGUMENTS[name] ?? {}, signal);
await session.close();
