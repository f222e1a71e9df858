"""URLs of the pages of accounts."""

from django.urls import URLPattern, URLResolver, path

from tournaments.accounts.views import accounts, invitations
from tournaments.core.views import page

urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/login/", accounts.SignIn.as_view(), name="login"),
    page("accounts/logout/", accounts.SignOut.as_view(), "logout"),
    page("accounts/", accounts.account, "account"),
    page("accounts/password/", accounts.change_password, "change-password"),
    page("accounts/email/", accounts.change_address, "change-address"),
    page("accounts/email/<str:proof>/", accounts.confirm_address, "confirm-address"),
    path("accounts/forgotten/", accounts.PasswordResetRequest.as_view(), name="forgotten-password"),
    page("accounts/forgotten/sent/", accounts.reset_sent, "reset-sent"),
    path(
        "accounts/new/<uidb64>/<token>/",
        accounts.PasswordResetConfirm.as_view(),
        name="new-password",
    ),
    page("accounts/code/", accounts.second_step, "second-step"),
    page("accounts/second-factor/", accounts.set_up_second_factor, "set-up-factor"),
    page("accounts/second-factor/codes/", accounts.renew_recovery_codes, "renew-codes"),
    page("accounts/second-factor/remove/", accounts.remove_second_factor, "remove-factor"),
    page("accounts/sign-ins/end/", accounts.end_other_sign_ins, "end-other-sign-ins"),
    page("accounts/sign-ins/<int:pk>/end/", accounts.end_sign_in, "end-sign-in"),
    page("accounts/first/<str:proof>/", invitations.first_account, "first-account"),
    page("invitations/<str:text>/", invitations.invitation, "invitation"),
    page("clubs/<slug:slug>/people/", invitations.members, "members"),
    page("clubs/<slug:slug>/people/<int:pk>/role/", invitations.change_role, "change-role"),
    page("clubs/<slug:slug>/people/<int:pk>/remove/", invitations.remove_member, "remove-member"),
    page(
        "clubs/<slug:slug>/invitations/<slug:key>/revoke/",
        invitations.revoke_invitation,
        "revoke-invitation",
    ),
    page("bots/<slug:slug>/connect/", invitations.connect_bot, "connect-bot"),
    page("clubs/<slug:slug>/tokens/", invitations.club_tokens, "tokens"),
    page("clubs/<slug:slug>/tokens/<int:pk>/revoke/", invitations.revoke_token, "revoke-token"),
]
