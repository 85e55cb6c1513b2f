import { BUILT_IN_TOOL_TEXTS } from '@tanya/contract';
import { defineTool, ToolFailure } from '../define-tool.js';

const PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  weekday: 'long',
  timeZoneName: 'longOffset',
} as const;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', { ...PARTS, timeZone });
  } catch {
    throw new ToolFailure(`"${timeZone}" is not a known time zone. Use an IANA name such as Asia/Jakarta, or UTC.`);
  }
}

/** An instant in a time zone, as ISO 8601 with offset, weekday and the zone's name. */
export function timeIn(timeZone: string, at: Date): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const partOf = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const offset = partOf('timeZoneName').replace('GMT', '') || '+00:00';
  const date = `${partOf('year')}-${partOf('month')}-${partOf('day')}`;
  return `${date}T${partOf('hour')}:${partOf('minute')}:${partOf('second')}${offset}, ${partOf('weekday')}, ${timeZone}`;
}

export const currentTime = defineTool<{ timeZone?: string }>({
  name: 'current_time',
  title: BUILT_IN_TOOL_TEXTS.current_time.title,
  description: 'Returns the current date, time and weekday in a time zone.',
  parameters: {
    type: 'object',
    properties: {
      timeZone: {
        type: 'string',
        maxLength: 64,
        description: 'IANA name such as Asia/Jakarta. UTC if it is left out.',
      },
    },
    additionalProperties: false,
  },
  policy: 'allow',
  run: async ({ timeZone = 'UTC' }) => ({ text: timeIn(timeZone, new Date()) }),
});
