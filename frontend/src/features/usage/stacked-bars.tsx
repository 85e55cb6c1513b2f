import { Chart, useChart } from '@chakra-ui/charts';
import type { UsagePeriod } from '@tanya/contract';
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { formatShortDay } from '../../app/i18n/report-formats';
import { stepText } from './period';
import { formatAmount, formatTick, type Measure } from './measures';
import type { Breakdown } from './series';
import { fillOf, Swatch } from './series-fills';

interface StackedBarsProps {
  breakdown: Breakdown;
  labels: readonly string[];
  measure: Measure;
  step: UsagePeriod['step'];
}

/** A point of the chart: the step, and the amount of each name under its index. */
type Point = Record<string, string | number | null>;

/** A bar for each step, stacked by name. In a file of its own, because the chart library is large. */
export default function StackedBars({ breakdown, labels, measure, step }: StackedBarsProps) {
  const data = breakdown.steps.map((day, index): Point => {
    const amounts = breakdown.rows[index]!.map((amount, name) => [
      String(name),
      amount === null ? null : Number(amount),
    ]);
    return { day, ...(Object.fromEntries(amounts) as Record<string, number | null>) };
  });
  const series = labels.map((label, index) => ({ name: String(index), label, icon: <Swatch index={index} /> }));
  const chart = useChart({ data, series });
  const color = (token: string) => chart.color(token) as string;
  const formatStep = (text: string) => stepText(text, step);
  return (
    <Chart.Root chart={chart} height="100%" aspectRatio="auto">
      <BarChart
        responsive
        style={{ width: '100%', height: '100%' }}
        data={chart.data}
        accessibilityLayer={false}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke={color('border')} />
        <XAxis
          dataKey="day"
          tickLine={false}
          axisLine={{ stroke: color('border.emphasized') }}
          minTickGap={16}
          tickFormatter={step === 'day' ? formatShortDay : formatStep}
        />
        <YAxis
          width="auto"
          tickLine={false}
          axisLine={false}
          allowDecimals={measure === 'cost'}
          tickFormatter={(value: number) => formatTick(value, measure)}
        />
        <Tooltip
          cursor={{ fill: color('bg.muted') }}
          isAnimationActive={false}
          filterNull={false}
          content={
            <Chart.Tooltip
              // Without a bar under the pointer the label is not a day.
              labelFormatter={(day, bars) => (typeof day === 'string' && bars.length > 0 ? formatStep(day) : '')}
              // It shows no value of its own for null.
              formatter={(value, name) =>
                value === null
                  ? ['', `${String(name)}: ${formatAmount(null, measure)}`]
                  : formatAmount(String(value), measure)
              }
            />
          }
        />
        {series.map(({ name }, index) => (
          <Bar
            key={name}
            dataKey={name}
            stackId="all"
            fill={fillOf(index)}
            stroke={color('bg.panel')}
            maxBarSize={48}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </Chart.Root>
  );
}
