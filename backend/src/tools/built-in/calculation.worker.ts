import { parentPort, workerData } from 'node:worker_threads';
import { calculate, type CalculationTask } from './calculation.js';

parentPort!.postMessage(calculate((workerData as CalculationTask).expression));
