"""How a long list is cut: by cursor, so that a page stays right while rows are added."""

from rest_framework.pagination import CursorPagination


class CursorPages(CursorPagination):
    """Fifty rows a page, or `page_size` of them, at most two hundred, in the order of their keys."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    ordering = "pk"
