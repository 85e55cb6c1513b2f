import type { IdentityProvider, IdentityProviderTestResult } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { SmallIdPipe } from '../../platform/http/id.pipe.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { CreateIdentityProviderDto, TestIdentityProviderDto, UpdateIdentityProviderDto } from './oidc.dto.js';
import { IdentityProviders } from './identity-providers.service.js';

@Controller('api/admin/identity-providers')
@UseGuards(AdminGuard)
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProviders) {}

  @Get()
  list(): Promise<IdentityProvider[]> {
    return this.providers.list();
  }

  @Post()
  create(@Body() provider: CreateIdentityProviderDto): Promise<IdentityProvider> {
    return this.providers.create(provider);
  }

  @Post('test')
  @HttpCode(200)
  test(@Body() { issuer }: TestIdentityProviderDto): Promise<IdentityProviderTestResult> {
    return this.providers.test(issuer);
  }

  @Patch(':id')
  update(@Param('id', SmallIdPipe) id: number, @Body() changes: UpdateIdentityProviderDto): Promise<IdentityProvider> {
    return this.providers.update(id, presentFields(changes));
  }

  @Delete(':id')
  delete(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.providers.delete(id);
  }
}
