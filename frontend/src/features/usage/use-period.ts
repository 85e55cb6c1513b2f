import { useNavigate, useSearch } from '@tanstack/react-router';
import { choiceOf, utcDay, type Days, daysOf, type PeriodChoice, searchOf } from './period';

interface PeriodState {
  choice: PeriodChoice;
  days: Days;
  /** The current UTC day. */
  today: string;
  choose: (choice: PeriodChoice) => void;
}

/** The period of a usage page. It is in the address, so that a reload and a link keep it. */
export function usePeriod(): PeriodState {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const choice = choiceOf(search);
  const today = utcDay(Date.now());
  return {
    choice,
    days: daysOf(choice, today),
    today,
    choose: (chosen) => {
      // Beside it are the filters.
      const { period, from, to, ...others } = search;
      void navigate({ to: '.', search: { ...others, ...searchOf(chosen) } as never, replace: true });
    },
  };
}
