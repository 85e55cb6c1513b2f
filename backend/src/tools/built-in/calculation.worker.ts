import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { calculate, type CalculationTask } from './calculation.js';

serveTasks(({ expression }: CalculationTask) => calculate(expression));
