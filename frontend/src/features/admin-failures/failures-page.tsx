import { type Failure, FAILURE_DAYS } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { useAddressFilter } from '../../components/tables/use-address-filter';
import { HistoryPage } from '../../components/tables/history-page';
import { FailureEntry } from './failure-entry';
import { FAILURE_FIELDS, FailureFilters } from './failure-filters';

export default function FailuresPage() {
  const [filter, change] = useAddressFilter(FAILURE_FIELDS);
  return (
    <HistoryPage<Failure>
      name="failures"
      texts={{
        title: t('sidebar.failures'),
        sentence: t('failures.sentence', { days: FAILURE_DAYS }),
        list: t('failures.list'),
        loadError: t('failures.loadError'),
        none: t('failures.none'),
        noMatch: t('failures.noMatch'),
        older: t('failures.older'),
        olderError: t('failures.olderError'),
      }}
      filter={filter}
      filterFields={<FailureFilters filter={filter} onChange={change} />}
    >
      {(failure) => (
        <FailureEntry key={failure.id} failure={failure} onNarrow={(fields) => change({ id: '', ...fields })} />
      )}
    </HistoryPage>
  );
}
