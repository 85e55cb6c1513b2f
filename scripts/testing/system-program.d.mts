export function systemProgram(options: { names: string[]; aptPackage: string; elsewhere?: string[] }): string;
