import express, { type RequestHandler } from 'express';
import { continueInPromise } from './continue-in-promise.js';

/**
 * Reads a body of JSON.
 * @param limit bytes
 */
export const readJson = (limit: number): RequestHandler => continueInPromise(express.json({ limit }));
