import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { OwnUsage, UsageReport } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakeRoute } from '../../components/layout/fake-route';
import AdminUsagePage from './admin-usage-page';
import { REPORT, sums } from './fake-usage';
import { OwnUsagePage } from './own-usage-page';

const { topPeople, byPlan, ...ownReport } = REPORT;
const OWN: OwnUsage = { ...ownReport, totals: sums({ generations: 12, messages: 10, costUsd: '1.5' }) };
const EMPTY: UsageReport = {
  ...REPORT,
  totals: { ...REPORT.totals, ...sums(), people: 0, errorRate: 0, firstTokenMs: { p50: null, p95: null } },
};

const models = [{ modelId: 'maker/large', name: 'Large' }];

function showAdmin(report: unknown, path?: string): string[] {
  queryClient.clear();
  const requests = serve({ '/api/admin/usage': report, '/api/models': models });
  render(
    <FakeRoute path={path}>
      <AdminUsagePage />
    </FakeRoute>,
  );
  return requests;
}

const usageRequests = (requests: string[]) => requests.filter((address) => address.includes('usage'));
const cardOf = async (label: string) => within((await screen.findByText(label, { selector: 'dt' })).parentElement!);

describe('the usage page of admins', () => {
  it('shows the sums with their unknown costs, errors and times', async () => {
    showAdmin(REPORT);
    expect((await cardOf('Messages')).getByText('10')).toBeDefined();
    const cost = await cardOf('Cost');
    expect(cost.getByText('$0.000123')).toBeDefined();
    expect(cost.getByText('plus 2 calls of unknown cost')).toBeDefined();
    expect((await cardOf('Tokens')).getByText('1,200 in, 300 out')).toBeDefined();
    expect((await cardOf('Site')).getByText('100 tokens for titles, ideas and embeddings, in the sums')).toBeDefined();
    expect((await cardOf('Active people')).getByText('4')).toBeDefined();
    expect((await cardOf('Error rate')).getByText('25%')).toBeDefined();
    expect((await cardOf('Time to first token')).getByText(/^480 ms/)).toBeDefined();
  });

  it('shows the known cost beside calls of the site without one', async () => {
    showAdmin({ ...REPORT, totals: { ...REPORT.totals, generations: 2, unpriced: 3 } });
    const cost = await cardOf('Cost');
    expect(cost.getByText('$0.000123')).toBeDefined();
    expect(cost.getByText('plus 3 calls of unknown cost')).toBeDefined();
  });

  it('says of how many calls the cost is missing where none is known', async () => {
    showAdmin({ ...REPORT, totals: { ...REPORT.totals, costUsd: '0', generations: 3, unpriced: 3 } });
    const cost = await cardOf('Cost');
    expect(cost.getByText('Unknown')).toBeDefined();
    expect(cost.getByText('3 calls without a known price')).toBeDefined();
  });

  it('shows the table behind a chart, with sums, for the chosen measure', async () => {
    showAdmin(REPORT);
    const panel = within(await screen.findByRole('region', { name: 'By plan' }));
    expect(panel.getByRole('img', { name: /^Chart\. By plan: Messages/ })).toBeDefined();
    const user = userEvent.setup();
    await user.click(panel.getByRole('button', { name: 'Show as table' }));
    const table = () => within(panel.getByRole('table'));
    const texts = (role: string) =>
      table()
        .getAllByRole(role)
        .map((cell) => cell.textContent);
    expect(texts('columnheader')).toEqual(['Day', 'Free', 'Unknown', 'Total']);
    expect(texts('rowheader').at(-1)).toBe('Total');
    expect(texts('cell').slice(-3)).toEqual(['7', '3', '10']);
    await user.selectOptions(screen.getByLabelText('Charts show'), 'cost');
    expect(texts('cell').slice(-3)).toEqual(['$0.00', '$0.00', '$0.00']);
    await user.click(panel.getByRole('button', { name: 'Show as chart' }));
    expect(panel.queryByRole('table')).toBeNull();
  });

  it('names people, models and keys, those that no longer exist too', async () => {
    showAdmin(REPORT);
    const people = within(await screen.findByRole('region', { name: 'Top people' }));
    for (const name of ['budi', 'Guest', 'Deleted accounts']) expect(people.getByText(name)).toBeDefined();
    expect(people.getByText('Unknown')).toBeDefined();
    expect(people.getByText('plus 1 call of unknown cost')).toBeDefined();
    const top = within(screen.getByRole('region', { name: 'Top models' }));
    await waitFor(() => expect(top.getByText('Large')).toBeDefined());
    const keys = within(screen.getByRole('region', { name: 'Top API keys' }));
    for (const name of ['Nightly report', 'budi', 'Deleted key 1204']) expect(keys.getByText(name)).toBeDefined();
  });

  it('reads another period, and days that were entered', async () => {
    const requests = showAdmin(REPORT);
    await cardOf('Messages');
    const user = userEvent.setup();
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    await user.click(screen.getByRole('button', { name: 'Today' }));
    // The day may change between the two readings of the clock.
    const addresses = [before, today()].map((day) => `/api/admin/usage?from=${day}&to=${day}`);
    await waitFor(() => expect(addresses).toContain(usageRequests(requests).at(-1)));
    expect(screen.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed')).toBe('true');

    await user.click(screen.getByRole('button', { name: 'Custom' }));
    const from = screen.getByLabelText('From');
    await user.clear(from);
    await user.click(screen.getByRole('button', { name: 'Show period' }));
    expect(screen.getByText('Please enter a date.')).toBeDefined();
    await user.type(from, '2025-11-01');
    await user.clear(screen.getByLabelText('To'));
    await user.type(screen.getByLabelText('To'), '2025-11-30');
    await user.click(screen.getByRole('button', { name: 'Show period' }));
    const address = '/api/admin/usage?from=2025-11-01&to=2025-11-30';
    await waitFor(() => expect(usageRequests(requests).at(-1)).toBe(address));
    const file = screen.getByRole('link', { name: 'CSV file' });
    expect(file.getAttribute('href')).toBe('/api/admin/usage.csv?from=2025-11-01&to=2025-11-30');
  });

  it('keeps its filters in another period', async () => {
    const requests = showAdmin(REPORT, '/?plan=free&from=2025-11-01&to=2025-11-30');
    await cardOf('Messages');
    await userEvent.click(screen.getByRole('button', { name: 'Today' }));
    await waitFor(() => expect(usageRequests(requests)).toHaveLength(2));
    expect(usageRequests(requests).map((address) => address.includes('plan=free'))).toEqual([true, true]);
    expect(usageRequests(requests).at(-1)).not.toContain('2025-11-01');
  });

  it('offers no file of a period that is too long for one', async () => {
    showAdmin(REPORT);
    await cardOf('Messages');
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Custom' }));
    const from = screen.getByLabelText('From');
    await user.clear(from);
    await user.type(from, '2020-01-01');
    await user.click(screen.getByRole('button', { name: 'Show period' }));
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'CSV file' });
    expect(button.disabled).toBe(true);
  });

  it('reports an empty period', async () => {
    showAdmin(EMPTY);
    expect(await screen.findByText('No usage in this period.')).toBeDefined();
    expect((await cardOf('Error rate')).getByText('–')).toBeDefined();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('reports a failed read and tries again', async () => {
    const failed = { statusCode: 500, code: 'internal', message: 'Failed.' };
    showAdmin(failed);
    expect(await screen.findByText(/could not be loaded/)).toBeDefined();
    serve({ '/api/admin/usage': REPORT, '/api/models': models });
    await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));
    expect((await cardOf('Messages')).getByText('10')).toBeDefined();
  });
});

describe('the usage page of members', () => {
  it('shows their own sums, charts, models and keys alone', async () => {
    queryClient.clear();
    const quota = { used: 51, max: 100, remaining: 49, resetsAt: '2026-12-01T00:00:00.000Z' };
    const requests = serve({ '/api/user/usage': OWN, '/api/user/quota': quota, '/api/models': models });
    render(
      <FakeRoute>
        <OwnUsagePage />
      </FakeRoute>,
    );
    expect((await cardOf('Cost')).getByText('$1.50')).toBeDefined();
    expect(usageRequests(requests)[0]).toMatch(/^\/api\/user\/usage\?from=.*&to=/);
    for (const name of ['By model', 'By channel', 'Top models', 'Top API keys'])
      expect(screen.getByRole('region', { name })).toBeDefined();
    expect(screen.getByText(/^You have used 51 of 100 messages\. Your quota is renewed on /)).toBeDefined();
    for (const name of ['By plan', 'Top people']) expect(screen.queryByRole('region', { name })).toBeNull();
    expect(screen.queryByText('Active people')).toBeNull();
    expect(screen.queryByRole('link', { name: 'CSV file' })).toBeNull();
    expect(within(screen.getByRole('region', { name: 'Top API keys' })).queryByText('budi')).toBeNull();
  });
});
