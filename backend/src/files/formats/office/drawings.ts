import type { OfficePackage } from './package.js';
import { textOfPoint } from './sheets/cell-text.js';
import { isOn, readXml } from '../xml.js';

/** Points of one series of a chart. */
const MAX_POINTS = 2_000;

/** Series of one chart: the most that Excel allows. */
const MAX_SERIES = 255;

/** Points of a diagram that only say how it is drawn. */
const LAYOUT_POINTS = new Set(['pres', 'parTrans', 'sibTrans']);

/** Text of the parts that a drawing refers to by a relationship; '' for pictures and other parts. */
export function drawingText(office: OfficePackage, from: string, id: string | undefined): string {
  const target = office.target(from, id);
  if (target === undefined) return '';
  const type = office.relationships(from).find((relationship) => relationship.id === id)!.type;
  const xml = office.xml(target);
  if (type === 'chart' || type === 'chartEx') return chartText(xml);
  return type === 'diagramData' ? diagramText(xml) : '';
}

interface Series {
  name: string;
  categories: Map<number, string>;
  values: Map<number, string>;
}

/** Elements of a series with names or values. */
const PARTS = new Set(['tx', 'cat', 'xVal', 'val', 'yVal', 'bubbleSize']);

/** What Office shows as the title of a chart with several series whose author wrote none. */
const USUAL_TITLE = 'Chart Title';

/** The title and axes of a chart, and its values as a table: a row for a category, a column for a series. */
export function chartText(xml: string): string {
  const titles: string[] = [];
  const series: Series[] = [];
  const loose: string[] = [];
  let current: Series | undefined;
  let part = '';
  let index = 0;
  let value: string | undefined;
  let paragraph = '';
  // The title of the chart itself stands before its plot area, those of axes in it.
  let hasTitle = false;
  let hasPlot = false;
  let isFrom1904 = false;
  // How values are shown: all of a series, or one of them.
  let format = '';
  let ownFormat = '';
  let isFormat = false;
  readXml(xml, {
    open({ name, attributes }) {
      if (name === 'title' && !hasPlot) hasTitle = true;
      if (name === 'plotArea') {
        hasPlot = true;
        if (hasTitle && titles.join('').trim() === '') titles.push(USUAL_TITLE);
      }
      if (name === 'date1904') isFrom1904 = isOn(attributes.val);
      if (name === 'formatCode') {
        isFormat = true;
        format = '';
      }
      if (name === 'ser' || name === 'series') {
        current = { name: '', categories: new Map(), values: new Map() };
        if (series.length < MAX_SERIES) series.push(current);
      } else if (PARTS.has(name)) {
        part = name;
        format = '';
      } else if (name === 'pt') {
        index = Number(attributes.idx ?? 0);
        ownFormat = attributes.formatCode ?? '';
        // Charts of newer kinds have their values here.
        if (current === undefined) value = '';
      } else if (name === 'v' || name === 't') value = '';
    },
    text(text) {
      if (isFormat) format += text;
      else if (value !== undefined) value += text;
    },
    close(name) {
      isFormat = false;
      if (name === 'ser' || name === 'series') current = undefined;
      else if (name === 't') paragraph += value ?? '';
      else if (name === 'p') {
        titles.push(paragraph);
        paragraph = '';
      } else if (name === 'v' && current !== undefined) {
        const shown = part === 'tx' ? (value ?? '') : textOfPoint(value ?? '', ownFormat || format, isFrom1904);
        keep(current, part, index, shown);
      } else if (name === 'pt' && current === undefined && value && loose.length < MAX_POINTS) loose.push(value);
      if (['v', 't', 'pt'].includes(name)) value = undefined;
    },
  });
  return [...titles, ...loose, ...tableOf(series)].filter((line) => line.trim() !== '').join('\n');
}

function keep(series: Series, part: string, index: number, value: string): void {
  if (part === 'tx') series.name = series.name === '' ? value : `${series.name} ${value}`;
  const values = part === 'cat' || part === 'xVal' ? series.categories : series.values;
  if (part !== 'tx' && part !== 'bubbleSize' && values.size < MAX_POINTS) values.set(index, value);
}

function tableOf(series: readonly Series[]): string[] {
  if (series.length === 0) return [];
  const categories = new Map(series.flatMap((one) => [...one.categories]));
  const indexes = [...new Set([...categories.keys(), ...series.flatMap(({ values }) => [...values.keys()])])];
  const rows = indexes
    .toSorted((one, other) => one - other)
    .map((index) => [categories.get(index) ?? '', ...series.map(({ values }) => values.get(index) ?? '')]);
  return [['', ...series.map(({ name }) => name)], ...rows].map((cells) => cells.join('\t'));
}

/** The texts of a diagram, a line each. */
function diagramText(xml: string): string {
  const lines: string[] = [];
  let line = '';
  let isLayout = false;
  let inText = false;
  readXml(xml, {
    open({ name, attributes }) {
      if (name === 'pt') isLayout = LAYOUT_POINTS.has(attributes.type ?? '');
      inText = name === 't' && !isLayout && !('modelId' in attributes);
    },
    text(text) {
      if (inText && /\S/.test(text)) line += text;
    },
    close(name) {
      inText = false;
      if (name !== 'p') return;
      if (line !== '') lines.push(line);
      line = '';
    },
  });
  return lines.join('\n');
}
