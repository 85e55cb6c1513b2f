import type { SiteLogo } from '@tanya/contract';
import { Controller, Delete, Get, Put, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminGuard, OpenToAll } from '../../identity/guards.js';
import { AppError } from '../../platform/errors/app-error.js';
import { drainBody } from '../../platform/http/drain-body.js';
import { SiteLogoService } from '../../settings/site-logo.service.js';
import { LogoIntake } from './logo-intake.js';

/** Each logo has an address of its own; one without a version is asked for again after five minutes. */
const CACHE = { versioned: 'public, max-age=31536000, immutable', plain: 'public, max-age=300' };

@Controller('api')
export class LogoController {
  constructor(
    private readonly logo: SiteLogoService,
    private readonly intake: LogoIntake,
  ) {}

  /** The bytes of the logo, for everyone. 404 without one. */
  @Get('logo')
  @OpenToAll()
  read(@Req() { query }: Request, @Res() response: Response): void {
    const logo = this.logo.get();
    if (logo === null) throw new AppError('not_found');
    response
      .set({
        'Cache-Control': query['v'] === logo.version ? CACHE.versioned : CACHE.plain,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      })
      .type(logo.type)
      .send(logo.bytes);
  }

  @Put('admin/logo')
  @UseGuards(AdminGuard)
  async store(@Req() request: Request): Promise<SiteLogo> {
    const { bytes, type } = await this.intake.receive(request);
    // Reads the bytes after the end of the form.
    await drainBody(request);
    await this.logo.store(bytes, type);
    return { logo: this.logo.address };
  }

  @Delete('admin/logo')
  @UseGuards(AdminGuard)
  async remove(): Promise<SiteLogo> {
    await this.logo.remove();
    return { logo: null };
  }
}
